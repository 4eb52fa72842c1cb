-- Begins a match, unless its id is taken.
-- KEYS: the match, its log. ARGV: header, state, progress, revision, seconds to live, lines of the log.
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
redis.call('HSET', KEYS[1], 'header', ARGV[1], 'state', ARGV[2], 'progress', ARGV[3], 'revision', ARGV[4])
for line = 6, #ARGV do
  redis.call('XADD', KEYS[2], (line - 5) .. '-0', 'entry', ARGV[line])
end
redis.call('EXPIRE', KEYS[1], ARGV[5])
redis.call('EXPIRE', KEYS[2], ARGV[5])
return 1
