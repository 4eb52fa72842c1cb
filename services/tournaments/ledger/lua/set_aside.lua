-- Stores a wrong worker, and turns results of blocks into suspects, under the lease of a running tournament only.
-- KEYS: the tournament, lease, results, order, moves, suspects, wrong workers.
-- ARGV: fencing token, worker, what shows that it is wrong, index from which all blocks are set aside ('' for none), then
-- indices of other blocks; those without a result are skipped.
-- Returns {'fenced'}, {'ended'} or {'done'}.
if redis.call('GET', KEYS[2]) ~= ARGV[1] then
  return {'fenced'}
end
if redis.call('HGET', KEYS[1], 'status') ~= 'running' then
  return {'ended'}
end
redis.call('HSET', KEYS[7], ARGV[2], ARGV[3])
local later_from = tonumber(ARGV[4])
local wrong = {}
for place = 5, #ARGV do
  wrong[ARGV[place]] = true
end
local order = redis.call('LRANGE', KEYS[4], 0, -1)
local left = {}
for _, index in ipairs(order) do
  if wrong[index] or (later_from and tonumber(index) >= later_from) then
    local result, worker = string.match(redis.call('HGET', KEYS[3], index), '([^\n]*)\n(.*)')
    redis.call('HSET', KEYS[6], index .. ' ' .. worker, result)
    redis.call('HDEL', KEYS[3], index)
    redis.call('HDEL', KEYS[5], index)
  else
    left[#left + 1] = index
  end
end
-- LREM for each would read the whole list each time.
if #left < #order then
  redis.call('DEL', KEYS[4])
  for _, index in ipairs(left) do
    redis.call('RPUSH', KEYS[4], index)
  end
end
return {'done'}
