-- Begins a match, unless its id is taken: answers {the run id of this Redis process}, or {} when it is.
-- KEYS: the match, its log.
-- ARGV: header, state, progress, revision, seconds to live, number of turns that hosted seats owe, these turns, lines of
--       the log, the run id.
local turns = tonumber(ARGV[6])
if redis.call('EXISTS', KEYS[1]) == 1 then
  return {}
end
redis.call('HSET', KEYS[1], 'header', ARGV[1], 'state', ARGV[2], 'progress', ARGV[3], 'revision', ARGV[4],
  'incarnation', ARGV[#ARGV])
for line = 7 + turns, #ARGV - 1 do
  redis.call('XADD', KEYS[2], (line - 6 - turns) .. '-0', 'entry', ARGV[line])
end
if turns > 0 then
  redis.call('HSET', KEYS[1], 'turns', table.concat(ARGV, '\n', 7, 6 + turns))
end
redis.call('EXPIRE', KEYS[1], ARGV[5])
redis.call('EXPIRE', KEYS[2], ARGV[5])
for turn = 7, 6 + turns do
  put_turn(ARGV[turn])
end
return {ARGV[#ARGV]}
