-- Says what has become of a tournament that was running.
-- KEYS: the tournament, lease. ARGV: status, fencing token, empty where the lease is not asked for, and why.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 'missing'
end
if ARGV[2] ~= '' and redis.call('GET', KEYS[2]) ~= ARGV[2] then
  return 'fenced'
end
if redis.call('HGET', KEYS[1], 'status') == 'running' then
  redis.call('HSET', KEYS[1], 'status', ARGV[1], 'detail', ARGV[3])
end
return 'done'
