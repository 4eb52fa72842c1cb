-- Takes the first turns of a queue, and queues those again whose worker has not renewed its claim in time.
local queue = KEYS[1]
local claim_ms, most = tonumber(ARGV[1]), tonumber(ARGV[2])
local first_server = 3  -- from here on: servers that have enough turns in hand
local MAX_SCANNED_TURNS = 5000
local MAX_OVERDUE_TURNS = 100
local waiting, taken, shares, bell = turn_keys(queue)
local now = now_ms()
for _, text in ipairs(redis.call('ZRANGEBYSCORE', taken, '-inf', now, 'LIMIT', 0, MAX_OVERDUE_TURNS)) do
  redis.call('ZREM', taken, text)
  put_turn(text)
end
local full = {}
for number = first_server, #ARGV do
  full[ARGV[number]] = true
end
local found, reached = {}, tonumber(redis.call('ZSCORE', shares, '') or 0)
local first = redis.call('ZRANGE', waiting, 0, (#ARGV >= first_server and MAX_SCANNED_TURNS or most) - 1, 'WITHSCORES')
for place = 1, #first, 2 do
  local text = first[place]
  if #found < most and not full[string.match(text, '^%S+ %S+ %S+ (%S+) ')] then
    redis.call('ZREM', waiting, text)
    redis.call('ZADD', taken, now + claim_ms, text)
    found[#found + 1] = text
    reached = math.max(reached, tonumber(first[place + 1]))
  end
end
if redis.call('ZCARD', waiting) == 0 then
  redis.call('DEL', bell, shares)  -- no caller has turns waiting
elseif #found > 0 then
  redis.call('ZREMRANGEBYSCORE', shares, '-inf', reached)  -- the next turn of these callers starts at `reached` anyway
  redis.call('ZADD', shares, reached, '')
end
return found
