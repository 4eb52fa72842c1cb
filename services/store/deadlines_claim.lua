-- Takes the matches whose time is up, so that for a while nobody else takes them.
-- KEYS: the deadlines. ARGV: now, until when they are taken, how many at most.
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, match_id in ipairs(due) do
  redis.call('ZADD', KEYS[1], ARGV[2], match_id)
end
return due
