-- Stores results of blocks, under the lease of a running tournament only, each once.
-- KEYS: the tournament, lease, results, alarms, order, moves.
-- ARGV: fencing token, worker, then index, result and moves of each block; the moves may be empty, and are then not
-- stored. A result is stored with its worker in a second line: a field of its own would take five times the memory.
-- Returns {'fenced'}, {'ended'}, or {indices of new results, indices of results that differ from the stored ones}.
if redis.call('GET', KEYS[2]) ~= ARGV[1] then
  return {'fenced'}
end
if redis.call('HGET', KEYS[1], 'status') ~= 'running' then
  return {'ended'}
end
local new, differing = {}, {}
for place = 3, #ARGV, 3 do
  local index, result = ARGV[place], ARGV[place + 1]
  if redis.call('HSETNX', KEYS[3], index, result .. '\n' .. ARGV[2]) == 1 then
    redis.call('RPUSH', KEYS[5], index)
    new[#new + 1] = index
    if ARGV[place + 2] ~= '' then
      redis.call('HSET', KEYS[6], index, ARGV[place + 2])
    end
  elseif string.match(redis.call('HGET', KEYS[3], index), '[^\n]*') ~= result then
    redis.call('HSET', KEYS[4], index, result)
    differing[#differing + 1] = index
  end
end
return {new, differing}
