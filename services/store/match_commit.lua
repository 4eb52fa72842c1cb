-- Makes one step of a match, all of it or nothing, and publishes its revision on the channel named as the log.
-- KEYS: the match, its log.
-- ARGV: revision that the step answers, revision that it makes, state, progress, seconds to live,
--       key of the request (empty for none), what to keep under it, how many requests to keep,
--       state and progress that it starts from (both empty where the revision is enough),
--       the incarnation in which the match was left, the one that the step is made for (empty for any),
--       number of turns that hosted seats owe, these turns, lines of the log, the run id of this Redis process.
-- Answers {'missing'}, {'seen', what was kept}, {'done'}, {'contradicted'} where the log has other lines already, or the match as it stands: {'stale', header, state, progress,
-- revision, incarnation}.
local KEY_LENGTH = 32
local turns = tonumber(ARGV[13])
local here = ARGV[#ARGV]
local found = redis.call(
  'HMGET', KEYS[1], 'revision', 'recent', 'request:' .. ARGV[6], 'state', 'progress', 'turns', 'incarnation')
if not found[1] then
  return {'missing'}
end
if ARGV[6] ~= '' and found[3] then
  return {'seen', found[3]}
end
local guessed_wrong = ARGV[9] ~= '' and (found[4] ~= ARGV[9] or found[5] ~= ARGV[10])
local was = found[7] or ''
local elsewhere = ARGV[12] ~= '' and (was ~= ARGV[11] or here ~= ARGV[12])
if found[1] ~= ARGV[1] or guessed_wrong or elsewhere then
  return {'stale', redis.call('HGET', KEYS[1], 'header'), found[4], found[5], found[1], was}
end
-- The lines go first: where the log has one of that number already nothing has been changed, and a script takes back none.
for line = 14 + turns, #ARGV - 1 do
  local added = redis.pcall('XADD', KEYS[2], (ARGV[1] + line - 13 - turns) .. '-0', 'entry', ARGV[line])
  if type(added) == 'table' and added.err then
    local is_there = string.find(added.err, 'equal or smaller', 1, true) or string.find(added.err, 'WRONGTYPE', 1, true)
    return is_there and {'contradicted'} or added
  end
end
redis.call('HSET', KEYS[1], 'revision', ARGV[2], 'state', ARGV[3], 'progress', ARGV[4], 'incarnation', here)
if turns > 0 or found[6] then
  redis.call('HSET', KEYS[1], 'turns', table.concat(ARGV, '\n', 14, 13 + turns))
end
if ARGV[6] ~= '' then
  local recent = (found[2] or '') .. ARGV[6]
  if #recent > KEY_LENGTH * ARGV[8] then
    redis.call('HDEL', KEYS[1], 'request:' .. string.sub(recent, 1, KEY_LENGTH))
    recent = string.sub(recent, KEY_LENGTH + 1)
  end
  redis.call('HSET', KEYS[1], 'recent', recent, 'request:' .. ARGV[6], ARGV[7])
end
redis.call('EXPIRE', KEYS[1], ARGV[5])
redis.call('EXPIRE', KEYS[2], ARGV[5])
redis.call('PUBLISH', KEYS[2], ARGV[2])
for turn = 14, 13 + turns do
  put_turn(ARGV[turn])
end
return {'done'}
