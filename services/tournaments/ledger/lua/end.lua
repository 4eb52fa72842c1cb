-- Sets the final status of a running tournament, and removes it from the unfinished ones.
-- KEYS: the tournament, lease, unfinished ones.
-- ARGV: id, status, fencing token (empty if no lease is required), and the reason.
if ARGV[3] ~= '' and redis.call('GET', KEYS[2]) ~= ARGV[3] then
  return 'fenced'
end
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 'missing'
end
if redis.call('HGET', KEYS[1], 'status') == 'running' then
  redis.call('HSET', KEYS[1], 'status', ARGV[2], 'detail', ARGV[4])
end
redis.call('ZREM', KEYS[3], ARGV[1])
return 'done'
