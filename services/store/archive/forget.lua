-- Removes an entry of a finished match that the archive has, and lets the match expire once there is no other entry of it.
-- Replies 1; or 0, and changes nothing, if the match is not as it was archived.
local match_key, log_key, finished_key = KEYS[1], KEYS[2], KEYS[3]
local entry_id, group, seconds_to_live, state, revision, seating = unpack(ARGV, 1, 6)

local found = redis.call('HMGET', match_key, 'state', 'revision', 'seating')
if found[2] and (found[1] ~= state or found[2] ~= revision or (found[3] or '') ~= seating) then
  return 0
end
redis.call('XACK', finished_key, group, entry_id)
-- Another process may have removed it, if this one was slow.
if redis.call('XDEL', finished_key, entry_id) == 1 and found[2] and redis.call('HINCRBY', match_key, 'unarchived', -1) <= 0 then
  redis.call('EXPIRE', match_key, seconds_to_live)
  redis.call('EXPIRE', log_key, seconds_to_live)
end
return 1
