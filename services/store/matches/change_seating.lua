-- Changes who has the seats of a match, unless the match or its seats have changed meanwhile; with a header it also begins
-- the match. Replies {'missing'}; {'done', first entries of the outbox}; {'contradicted'} where there is a log already; or,
-- where something has changed, {'stale', header, state, progress, revision, stored_run_id, seating}.
local match_key, log_key, outbox = unpack(KEYS)
local base_revision, old_seating, new_seating = unpack(ARGV, 1, 3)
local header, state, progress, new_revision, seconds_to_live = unpack(ARGV, 4, 8)  -- the header is empty for no beginning
local finished_key = ARGV[9]                                             -- empty unless the match is over
local turns = ARGV[10]                                                   -- that hosted seats owe after the change, as lines
local run_id = ARGV[#ARGV]
local first_line, add_effects = effects_from(11, outbox, run_id)
local last_line = #ARGV - 1

local found = redis.call('HMGET', match_key, 'header', 'state', 'progress', 'revision', 'incarnation', 'seating')
if not found[4] then
  return {'missing'}
end
if found[4] ~= base_revision or (found[6] or '') ~= old_seating then
  return {'stale', found[1], found[2], found[3], found[4], found[5] or '', found[6] or ''}
end
if header ~= '' then
  if redis.call('EXISTS', log_key) == 1 then
    return {'contradicted'}
  end
  for line = first_line, last_line do
    redis.call('XADD', log_key, (line - first_line + 1) .. '-0', 'entry', ARGV[line])
  end
  redis.call('HSET', match_key,
    'header', header, 'state', state, 'progress', progress, 'revision', new_revision, 'incarnation', run_id)
  redis.call('EXPIRE', match_key, seconds_to_live)
  redis.call('EXPIRE', log_key, seconds_to_live)
end
redis.call('HSET', match_key, 'seating', new_seating, 'turns', turns)
add_finished(finished_key, match_key, log_key)
redis.call('PUBLISH', log_key, 'seating')
if header ~= '' then
  redis.call('PUBLISH', log_key, new_revision)
end
return {'done', add_effects()}
