-- Claims attempts of a webhook that are due: no other worker gets them within `claim_ms`, and then one does, unless they have
-- ended. Replies the settings of the webhook, with all secrets that sign, and for each attempt the id of the event, its number and
-- the event; the latter is empty once the stream has deleted it.
local due, webhook, pending, attempts, events = unpack(KEYS)
local member, claim_ms, most, test_prefix = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local MAX_PENDING = 1000 -- further events wait in the stream
local now = now_ms()
local url, secret, old, types, cursor, disabled, held_until =
  unpack(redis.call('HMGET', webhook, 'url', 'secret', 'old_secrets', 'types', 'cursor', 'disabled', 'held_until'))
if not url or disabled then
  redis.call('ZREM', due, member)
  return {}
end
local room = MAX_PENDING - redis.call('ZCARD', pending)
local new = room > 0 and redis.call('XRANGE', events, '(' .. cursor, '+', 'COUNT', room) or {}
for _, entry in ipairs(new) do
  redis.call('ZADD', pending, now, entry[1])
end
if #new > 0 then
  redis.call('HSET', webhook, 'cursor', new[#new][1])
end
local secrets = secret
for _, entry in ipairs(old_secrets(old, now)) do
  secrets = secrets .. ' ' .. entry[2]
end
local claimed = {url, secrets, types}
local until_ms = tonumber(held_until or 0) > now and 0 or now -- the time of a new test is 0
for _, id in ipairs(redis.call('ZRANGEBYSCORE', pending, '-inf', until_ms, 'LIMIT', 0, most)) do
  redis.call('ZADD', pending, now + claim_ms, id)
  local is_test = string.sub(id, 1, #test_prefix) == test_prefix
  local entry = is_test and {} or redis.call('XRANGE', events, id, id)
  claimed[#claimed + 1] = id
  claimed[#claimed + 1] = redis.call('HINCRBY', attempts, id, 1)
  claimed[#claimed + 1] = entry[1] and entry[1][2][2] or ''
end
set_due(due, member, pending, now, held_until)
return claimed
