-- Adds events of the outbox of a bucket to the stream of a platform, each once. KEYS: the stream; and a hash of the ids of the
-- last entries of outboxes whose events it has, by bucket and run id of the Redis process that made the entry.
-- ARGV: most events of a stream, seconds until they are deleted, the field of the hash, then an id and an event for each.
local stream, reached = KEYS[1], KEYS[2]
local max_events, seconds, field = unpack(ARGV, 1, 3)

local function parts_of(id)
  local time, number = string.match(id, '^(%d+)-(%d+)$')
  return tonumber(time), tonumber(number)
end

local last_time, last_number = parts_of(redis.call('HGET', reached, field) or '0-0')
for place = 4, #ARGV, 2 do
  local time, number = parts_of(ARGV[place])
  if time > last_time or time == last_time and number > last_number then
    redis.pcall('XADD', stream, 'MAXLEN', '~', max_events, '*', 'event', ARGV[place + 1])
    redis.call('HSET', reached, field, ARGV[place])
  end
end
redis.call('EXPIRE', stream, seconds)
redis.call('EXPIRE', reached, seconds)
