-- Ends an attempt of a webhook: with `retry_ms` there will be another one then, without it the event is done with. Nothing is
-- sent for `hold_ms`. `outcome` is `ok`, `failed` or `skipped`; `line` goes into the log. Disables the webhook with `disable_now`, or once all attempts of
-- `disable_ms` have failed.
local due, webhook, pending, attempts, log = unpack(KEYS)
local member, id, retry_ms, hold_ms, outcome, line, disable_now, disable_ms = unpack(ARGV)
local MAX_LOG = 100
local now = now_ms()
if redis.call('EXISTS', webhook) == 0 then
  return 0
end
if retry_ms ~= '' then
  redis.call('ZADD', pending, 'XX', now + tonumber(retry_ms), id)
else
  redis.call('ZREM', pending, id)
  redis.call('HDEL', attempts, id)
end
if line ~= '' then
  redis.call('LPUSH', log, line)
  redis.call('LTRIM', log, 0, MAX_LOG - 1)
end
local held_until = math.max(now + tonumber(hold_ms), tonumber(redis.call('HGET', webhook, 'held_until') or 0))
if held_until > now then
  redis.call('HSET', webhook, 'held_until', held_until)
end
local disabled = disable_now
if outcome == 'ok' then
  redis.call('HDEL', webhook, 'failing_since')
elseif outcome == 'failed' then
  redis.call('HSETNX', webhook, 'failing_since', now)
  local since = tonumber(redis.call('HGET', webhook, 'failing_since'))
  if now - since >= tonumber(disable_ms) and disabled == '' then
    disabled = 'no attempt has succeeded for days'
  end
end
if disabled ~= '' then
  redis.call('HSET', webhook, 'disabled', disabled)
  redis.call('DEL', pending, attempts)
  redis.call('ZREM', due, member)
elseif redis.call('HEXISTS', webhook, 'disabled') == 0 then
  set_due(due, member, pending, now, held_until)
end
return 1
