-- Keeps a lease for a while from now on, or gives it up. KEYS: lease. ARGV: fencing token, milliseconds; 0 gives it up.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
if ARGV[2] == '0' then
  return redis.call('DEL', KEYS[1])
end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
