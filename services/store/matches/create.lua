-- Stores a new match, unless its id is taken. Replies {run id of this Redis process, first entries
-- of the outbox}, or {} when it is.
local match_key, log_key, outbox = unpack(KEYS)
local header, state, progress, revision, seconds_to_live = unpack(ARGV, 1, 5)
local seating = ARGV[6]                                                  -- empty for the header's
local turns = ARGV[7]                                                    -- that hosted seats owe, as lines
local run_id = ARGV[#ARGV]
local first_line, add_effects = effects_from(8, outbox, run_id)
local last_line = #ARGV - 1
if redis.call('EXISTS', match_key) == 1 then
  return {}
end
redis.call('HSET', match_key,
  'header', header, 'state', state, 'progress', progress, 'revision', revision, 'incarnation', run_id)
for line = first_line, last_line do
  redis.call('XADD', log_key, (line - first_line + 1) .. '-0', 'entry', ARGV[line])
end
if seating ~= '' then
  redis.call('HSET', match_key, 'seating', seating)
end
if turns ~= '' then
  redis.call('HSET', match_key, 'turns', turns)
end
redis.call('EXPIRE', match_key, seconds_to_live)
redis.call('EXPIRE', log_key, seconds_to_live)  -- no log yet in a match that waits for players
return {run_id, add_effects()}
