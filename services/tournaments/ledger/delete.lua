-- Takes a tournament away with all that belongs to it, unless somebody plays it.
-- Its last token is remembered, if none that was deleted had a higher one: no token is given out again for its id.
-- KEYS: the tournament, lease, all tournaments, those to be played, the highest token of those that are deleted,
-- its last token, and whatever else belongs to it. ARGV: id.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 'missing'
end
if redis.call('EXISTS', KEYS[2]) == 1 then
  return 'leased'
end
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('ZREM', KEYS[4], ARGV[1])
local token = tonumber(redis.call('GET', KEYS[6]) or 0)
if token > tonumber(redis.call('GET', KEYS[5]) or 0) then
  redis.call('SET', KEYS[5], token)
end
redis.call('UNLINK', KEYS[1], unpack(KEYS, 6))
return 'done'
