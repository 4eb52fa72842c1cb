-- Queues of turns of hosted seats; this text goes before every script that uses them.
-- A queue is four keys: a sorted set of waiting turns by their start; a sorted set of taken turns by the time until which
-- their worker has claimed them; a sorted set of callers by the end of their last turn (the empty name: the greatest start
-- of a taken turn); and a list (the bell) on which idle workers block.
-- Start-time fair queueing: a turn starts where the last turn of its caller ends, but not before the turns taken now, and
-- ends its cost later. So callers share what the workers can do, however many turns one of them has.
local MAX_TURNS = 200000
local MAX_BELLS = 100

-- The four keys; one of another type is not ours, and would make every step of a match fail halfway.
local function turn_keys(queue)
  local keys = {queue, queue .. ':taken', queue .. ':shares', queue .. ':bell'}
  for number, key in ipairs(keys) do
    local kind = redis.call('TYPE', key)
    kind = kind.ok or kind
    if kind ~= 'none' and kind ~= (number == 4 and 'list' or 'zset') then
      redis.call('DEL', key)
    end
  end
  return unpack(keys)
end

-- Queues a turn, unless it is waiting or taken: so it can be put again without harm.
local function put_turn(text)
  local queue, cost, caller = string.match(text, '^(fireside:turns:%S+) (%d+) (%S+) ')
  if not queue then
    return
  end
  local waiting, taken, shares, bell = turn_keys(queue)
  if redis.call('ZSCORE', waiting, text) or redis.call('ZSCORE', taken, text) then
    return
  end
  local reached = tonumber(redis.call('ZSCORE', shares, '') or 0)
  local start = math.max(reached, tonumber(redis.call('ZSCORE', shares, caller) or 0))
  redis.call('ZADD', shares, start + cost, caller)
  redis.call('ZADD', waiting, start, text)
  if redis.call('ZCARD', waiting) > MAX_TURNS then
    redis.call('ZPOPMAX', waiting)  -- of the caller with most turns; a sweep puts it back once there is room
  end
  redis.call('LPUSH', bell, '1')
  redis.call('LTRIM', bell, 0, MAX_BELLS - 1)
end

local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
