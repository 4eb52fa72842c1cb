-- Stores a wrong worker, and turns results of blocks into suspects, under the lease of a running tournament only.
-- KEYS: the tournament, lease, results, order, moves, suspects, wrong workers.
-- ARGV: fencing token, worker, what shows that it is wrong, then indices of blocks; those without a result are skipped.
-- Returns {'fenced'}, {'ended'} or {'done'}.
if redis.call('GET', KEYS[2]) ~= ARGV[1] then
  return {'fenced'}
end
if redis.call('HGET', KEYS[1], 'status') ~= 'running' then
  return {'ended'}
end
redis.call('HSET', KEYS[7], ARGV[2], ARGV[3])
local gone = {}
for place = 4, #ARGV do
  local index = ARGV[place]
  local line = redis.call('HGET', KEYS[3], index)
  if line then
    local result, worker = string.match(line, '([^\n]*)\n(.*)')
    redis.call('HSET', KEYS[6], index .. ' ' .. worker, result)
    redis.call('HDEL', KEYS[3], index)
    redis.call('HDEL', KEYS[5], index)
    gone[index] = true
  end
end
-- LREM for each would read the whole list each time.
local order = redis.call('LRANGE', KEYS[4], 0, -1)
redis.call('DEL', KEYS[4])
for _, index in ipairs(order) do
  if not gone[index] then
    redis.call('RPUSH', KEYS[4], index)
  end
end
return {'done'}
