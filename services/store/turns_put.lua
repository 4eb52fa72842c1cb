-- Queues of turns of hosted seats; this text goes before every script that uses them.
-- A queue is four keys: what waits, by its place in the order; what is taken, by the time until which its worker has it;
-- how far each caller's turns reach in that order (the empty name: how far the turns reach that were taken); and a list
-- on which idle workers wait.
-- Start-time fair queueing: a turn begins where the last one of its caller ends, but not before what is taken now, and
-- ends its cost later. So callers share what the workers can do, however many turns one of them has.
local TURNS_MOST = 200000
local BELLS_MOST = 100

-- The four keys; one of another type cannot be ours, and would let every step of a match fail halfway.
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

-- Lets a turn wait, unless it does or is taken: so it can be put again without harm.
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
  if redis.call('ZCARD', waiting) > TURNS_MOST then
    redis.call('ZPOPMAX', waiting)  -- of who has most; the sweep puts it back once there is room
  end
  redis.call('LPUSH', bell, '1')
  redis.call('LTRIM', bell, 0, BELLS_MOST - 1)
end

local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
