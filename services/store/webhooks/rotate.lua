-- Gives a webhook a new secret; the one it had signs too for `overlap_ms`. Replies `rotated`, `unknown`, or `full` if more
-- secrets than `most` would sign.
local webhook = KEYS[1]
local new, overlap_ms, most = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local secret, old = unpack(redis.call('HMGET', webhook, 'secret', 'old_secrets'))
if not secret then
  return 'unknown'
end
if secret == new then
  return 'rotated'
end
local now = now_ms()
local entries = {now + overlap_ms .. ':' .. secret}
for _, entry in ipairs(old_secrets(old, now)) do
  if entry[2] ~= new then
    entries[#entries + 1] = entry[1] .. ':' .. entry[2]
  end
end
if #entries + 1 > most then
  return 'full'
end
redis.call('HSET', webhook, 'secret', new, 'old_secrets', table.concat(entries, ' '))
return 'rotated'
