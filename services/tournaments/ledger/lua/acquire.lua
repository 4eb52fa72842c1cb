-- Acquires the lease of an existing tournament if it is free. Returns its fencing token, or nil.
-- KEYS: the tournament, lease, last token. ARGV: milliseconds.
if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('EXISTS', KEYS[2]) == 1 then
  return nil
end
local token = redis.call('INCR', KEYS[3])
redis.call('SET', KEYS[2], token, 'PX', ARGV[1])
return token
