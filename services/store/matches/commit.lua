-- Stores one step of a match, all of it or nothing, and publishes its revision on the channel named as the log.
-- Replies {'missing'}; {'seen', response} for a request that was made before; {'done', first entries of the outbox};
-- {'contradicted'} where the log has other lines already; or, where the match has gone on, {'stale', header, state,
-- progress, revision, stored_run_id, seating}.
local match_key, log_key, outbox = unpack(KEYS)
local base_revision, new_revision, new_state, new_progress, seconds_to_live = unpack(ARGV, 1, 5)
local request_key, response, requests_most = unpack(ARGV, 6, 8)          -- the key is empty for no request
local guessed_state, guessed_progress = unpack(ARGV, 9, 10)              -- empty where the revision is enough
local previous_run_id, expected_run_id = unpack(ARGV, 11, 12)            -- the latter is empty for any
local expected_seating = ARGV[13]                                        -- mostly empty
local finished_key = ARGV[14]                                            -- empty while the match is in play
local turns = ARGV[15]                                                   -- that hosted seats owe after the step, as lines
local run_id = ARGV[#ARGV]                                               -- of this Redis process
local first_line, add_effects = effects_from(16, outbox, run_id)
local last_line = #ARGV - 1
local REQUEST_KEY_LENGTH = 32

local found = redis.call('HMGET', match_key,
  'revision', 'recent', 'request:' .. request_key, 'state', 'progress', 'turns', 'incarnation',
  'seating')
local revision, recent, stored_response, state, progress, owed, stored_run_id, seating = unpack(found, 1, 8)
if not revision then
  return {'missing'}
end
if request_key ~= '' and stored_response then
  return {'seen', stored_response}
end
stored_run_id = stored_run_id or ''
seating = seating or ''
local guessed_wrong = guessed_state ~= '' and (state ~= guessed_state or progress ~= guessed_progress)
local elsewhere = expected_run_id ~= '' and (stored_run_id ~= previous_run_id or run_id ~= expected_run_id)
if revision ~= base_revision or guessed_wrong or elsewhere or seating ~= expected_seating then
  return {'stale', redis.call('HGET', match_key, 'header'), state, progress, revision, stored_run_id, seating}
end
-- The lines go first: a script rolls nothing back, and where the log has one of them already nothing has been changed yet.
for line = first_line, last_line do
  local added = redis.pcall('XADD', log_key, (base_revision + line - first_line + 1) .. '-0', 'entry', ARGV[line])
  if type(added) == 'table' and added.err then
    local is_there = string.find(added.err, 'equal or smaller', 1, true) or string.find(added.err, 'WRONGTYPE', 1, true)
    return is_there and {'contradicted'} or added
  end
end
redis.call('HSET', match_key, 'revision', new_revision, 'state', new_state, 'progress', new_progress, 'incarnation', run_id)
if turns ~= '' or owed then
  redis.call('HSET', match_key, 'turns', turns)
end
if request_key ~= '' then
  recent = (recent or '') .. request_key
  if #recent > REQUEST_KEY_LENGTH * requests_most then
    redis.call('HDEL', match_key, 'request:' .. string.sub(recent, 1, REQUEST_KEY_LENGTH))
    recent = string.sub(recent, REQUEST_KEY_LENGTH + 1)
  end
  redis.call('HSET', match_key, 'recent', recent, 'request:' .. request_key, response)
end
redis.call('EXPIRE', match_key, seconds_to_live)
redis.call('EXPIRE', log_key, seconds_to_live)
add_finished(finished_key, match_key, log_key)
redis.call('PUBLISH', log_key, new_revision)
return {'done', add_effects()}
