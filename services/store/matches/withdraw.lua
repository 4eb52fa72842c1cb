-- Deletes a match that has not begun, unless its seats have changed meanwhile. Replies {'missing'}; {'done'}; or
-- {'stale', header, state, progress, revision, stored_run_id, seating}.
local match_key, log_key = KEYS[1], KEYS[2]
local old_seating = ARGV[1]

local found = redis.call('HMGET', match_key, 'header', 'state', 'progress', 'revision', 'incarnation', 'seating')
if not found[4] then
  return {'missing'}
end
if (found[6] or '') ~= old_seating then
  return {'stale', found[1], found[2], found[3], found[4], found[5] or '', found[6] or ''}
end
redis.call('DEL', match_key, log_key)
redis.call('PUBLISH', log_key, 'seating')
return {'done'}
