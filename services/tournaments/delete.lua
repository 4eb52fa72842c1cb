-- Takes a tournament away with all that belongs to it, unless somebody plays it.
-- KEYS: the tournament, lease, all tournaments, those to be played, and whatever else belongs to it. ARGV: id.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 'missing'
end
if redis.call('EXISTS', KEYS[2]) == 1 then
  return 'leased'
end
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('ZREM', KEYS[4], ARGV[1])
redis.call('UNLINK', KEYS[1], unpack(KEYS, 5))
return 'done'
