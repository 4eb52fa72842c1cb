-- Stores results of blocks, under the lease of a running tournament only, each once.
-- KEYS: the tournament, lease, results, alarms, order.
-- ARGV: fencing token, then index and result of each block.
-- Returns {'fenced'}, {'ended'}, or {indices of new results, indices of results that differ from the stored ones}.
if redis.call('GET', KEYS[2]) ~= ARGV[1] then
  return {'fenced'}
end
if redis.call('HGET', KEYS[1], 'status') ~= 'running' then
  return {'ended'}
end
local new, differing = {}, {}
for place = 2, #ARGV, 2 do
  local index, result = ARGV[place], ARGV[place + 1]
  if redis.call('HSETNX', KEYS[3], index, result) == 1 then
    redis.call('RPUSH', KEYS[5], index)
    new[#new + 1] = index
  elseif redis.call('HGET', KEYS[3], index) ~= result then
    redis.call('HSET', KEYS[4], index, result)
    differing[#differing + 1] = index
  end
end
return {new, differing}
