-- Puts a disabled webhook in use again: sends what it has missed since the first event that failed after the last success,
-- those that were given up included, as far as the stream has stored them. Replies 0 for a webhook that does not exist.
local due, webhook, pending, attempts, log = unpack(KEYS)
local member, line = unpack(ARGV)
local cursor, disabled, missed_since = unpack(redis.call('HMGET', webhook, 'cursor', 'disabled', 'missed_since'))
if not cursor then
  return 0
end
if not disabled then
  return 1
end
if missed_since and time_of(cursor) >= tonumber(missed_since) then
  redis.call('HSET', webhook, 'cursor', tonumber(missed_since) - 1 .. '-18446744073709551615') -- the last id before that time
end
redis.call('HDEL', webhook, 'disabled', 'failing_since', 'missed_since', 'held_until')
redis.call('DEL', attempts)
local now = now_ms()
for _, id in ipairs(redis.call('ZRANGE', pending, 0, -1)) do
  redis.call('ZADD', pending, now, id)
end
redis.call('ZADD', due, now, member)
add_line(log, line)
return 1
