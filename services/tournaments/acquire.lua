-- Takes the lease of a tournament if nobody has it; its fencing token, or nil.
-- KEYS: lease, last token. ARGV: milliseconds.
if redis.call('EXISTS', KEYS[1]) == 1 then
  return nil
end
local token = redis.call('INCR', KEYS[2])
redis.call('SET', KEYS[1], token, 'PX', ARGV[1])
return token
