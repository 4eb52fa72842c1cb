-- Stores a new tournament, unless its id is taken. Returns 1 if it did, else 0.
-- KEYS: the tournament, all tournaments, unfinished ones, its last token, the highest token of deleted tournaments.
-- ARGV: id, plan, milliseconds since 1970.
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
redis.call('HSET', KEYS[1], 'spec', ARGV[2], 'created_ms', ARGV[3], 'status', 'running')
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
redis.call('ZADD', KEYS[3], ARGV[3], ARGV[1])
local token = redis.call('GET', KEYS[5])
if token then
  redis.call('SET', KEYS[4], token)
end
return 1
