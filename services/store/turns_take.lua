-- Takes the turns that come first, and lets those wait again whose worker has not spoken of them for too long.
-- KEYS: the queue. ARGV: for how many milliseconds they are taken, how many at most, servers that have enough turns in hand.
local LOOK_MOST = 5000
local OVERDUE_MOST = 100
local waiting, taken, shares, bell = turn_keys(KEYS[1])
local now, most = now_ms(), tonumber(ARGV[2])
for _, text in ipairs(redis.call('ZRANGEBYSCORE', taken, '-inf', now, 'LIMIT', 0, OVERDUE_MOST)) do
  redis.call('ZREM', taken, text)
  put_turn(text)
end
local full = {}
for number = 3, #ARGV do
  full[ARGV[number]] = true
end
local found, reached = {}, tonumber(redis.call('ZSCORE', shares, '') or 0)
local first = redis.call('ZRANGE', waiting, 0, (#ARGV > 2 and LOOK_MOST or most) - 1, 'WITHSCORES')
for place = 1, #first, 2 do
  local text = first[place]
  if #found < most and not full[string.match(text, '^%S+ %S+ %S+ (%S+) ')] then
    redis.call('ZREM', waiting, text)
    redis.call('ZADD', taken, now + ARGV[1], text)
    found[#found + 1] = text
    reached = math.max(reached, tonumber(first[place + 1]))
  end
end
if redis.call('ZCARD', waiting) == 0 then
  redis.call('DEL', bell, shares)  -- nobody waits for anybody
elseif #found > 0 then
  redis.call('ZREMRANGEBYSCORE', shares, '-inf', reached)  -- these callers begin where everybody does
  redis.call('ZADD', shares, reached, '')
end
return found
