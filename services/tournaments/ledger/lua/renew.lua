-- Extends the lease of a running tournament, or releases it. Returns 1 if it did, else 0.
-- KEYS: the tournament, lease. ARGV: fencing token, milliseconds; 0 releases it, whatever the tournament's status.
if redis.call('GET', KEYS[2]) ~= ARGV[1] then
  return 0
end
if ARGV[2] == '0' then
  return redis.call('DEL', KEYS[2])
end
if redis.call('HGET', KEYS[1], 'status') ~= 'running' then
  return 0
end
return redis.call('PEXPIRE', KEYS[2], ARGV[2])
