-- Ends an attempt of a webhook: with `retry_ms` there will be another one then, without it the event is done with. Nothing is
-- sent for `hold_ms`. `outcome` is `ok`, `failed` or `skipped`; `line` goes into the log. With `disable_ms`, a webhook without a
-- success for so long is disabled for a `reason`, and `disabled_line` goes into the log; its events stay, for `enable.lua`.
local due, webhook, pending, attempts, log = unpack(KEYS)
local member, id, retry_ms, hold_ms, outcome, line, disable_ms, reason, disabled_line = unpack(ARGV)
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
  add_line(log, line)
end
local held_until = math.max(now + tonumber(hold_ms), tonumber(redis.call('HGET', webhook, 'held_until') or 0))
if held_until > now then
  redis.call('HSET', webhook, 'held_until', held_until)
end
if outcome == 'ok' then
  redis.call('HDEL', webhook, 'failing_since', 'missed_since')
elseif outcome == 'failed' then
  redis.call('HSETNX', webhook, 'failing_since', now)
  local missed_since = redis.call('HGET', webhook, 'missed_since')
  redis.call('HSET', webhook, 'missed_since', math.min(time_of(id), tonumber(missed_since or now)))
end
local failing_since, disabled = unpack(redis.call('HMGET', webhook, 'failing_since', 'disabled'))
if disabled then
  return 1
end
if disable_ms ~= '' and now - tonumber(failing_since or now) >= tonumber(disable_ms) then
  redis.call('HSET', webhook, 'disabled', reason)
  redis.call('ZREM', due, member)
  add_line(log, disabled_line)
else
  set_due(due, member, pending, now, held_until)
end
return 1
