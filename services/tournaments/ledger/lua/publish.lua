-- Stores the summary of a tournament's results, under its lease only. Returns 1 if it did, else 0.
-- KEYS: the tournament, lease. ARGV: fencing token, summary.
if redis.call('GET', KEYS[2]) ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[1], 'summary', ARGV[2])
return 1
