-- Begins a match, unless its id is taken.
-- KEYS: the match, its log, the line of each turn.
-- ARGV: header, state, progress, revision, seconds to live, turns of hosted seats, lines of the log.
local TURNS_MOST = 200000
local turns = #KEYS - 2
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
redis.call('HSET', KEYS[1], 'header', ARGV[1], 'state', ARGV[2], 'progress', ARGV[3], 'revision', ARGV[4])
for line = 6 + turns, #ARGV do
  redis.call('XADD', KEYS[2], (line - 5 - turns) .. '-0', 'entry', ARGV[line])
end
for turn = 1, turns do
  redis.call('XADD', KEYS[2 + turn], 'MAXLEN', '~', TURNS_MOST, '*', 'turn', ARGV[5 + turn])
end
redis.call('EXPIRE', KEYS[1], ARGV[5])
redis.call('EXPIRE', KEYS[2], ARGV[5])
return 1
