-- Keeps what the results of a tournament come to, under its lease only; whether it did.
-- KEYS: the tournament, lease. ARGV: fencing token, summary.
if redis.call('GET', KEYS[2]) ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[1], 'summary', ARGV[2])
return 1
