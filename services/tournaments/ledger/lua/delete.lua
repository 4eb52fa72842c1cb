-- Deletes a tournament with all its keys, unless its lease is held.
-- The highest token of deleted tournaments is stored, so that a new tournament with the same id never repeats a token.
-- KEYS: the tournament, lease, all tournaments, unfinished ones, the highest token of deleted tournaments,
-- its last token, and its other keys. ARGV: id.
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
