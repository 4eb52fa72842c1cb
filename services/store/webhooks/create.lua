-- Stores a webhook, which gets the events from now on. Replies `created`, `exists`, or `full` if the platform has `most`.
local webhooks, webhook, due, events = unpack(KEYS)
local webhook_id, member, most = unpack(ARGV, 1, 3)
if redis.call('EXISTS', webhook) == 1 then
  return 'exists'
end
if redis.call('SCARD', webhooks) >= tonumber(most) then
  return 'full'
end
local last = redis.call('XREVRANGE', events, '+', '-', 'COUNT', 1)
redis.call('SADD', webhooks, webhook_id)
local now = now_ms()
redis.call('HSET', webhook, 'created', now, 'cursor', last[1] and last[1][1] or '0-0', unpack(ARGV, 4))
redis.call('ZADD', due, now, member)
return 'created'
