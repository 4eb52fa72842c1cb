-- Stores a new match, unless its id is taken. Replies {run id of this Redis process}, or {} when it is.
local match_key, log_key = KEYS[1], KEYS[2]
local header, state, progress, revision, seconds_to_live = unpack(ARGV, 1, 5)
local seating = ARGV[6]                                                  -- empty for the header's
local turns = tonumber(ARGV[7])                                          -- that hosted seats owe
local first_turn, last_turn = 8, 7 + turns
local first_line, put_events = events_from(last_turn + 1)
local last_line = #ARGV - 1
local run_id = ARGV[#ARGV]
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
if turns > 0 then
  redis.call('HSET', match_key, 'turns', table.concat(ARGV, '\n', first_turn, last_turn))
end
redis.call('EXPIRE', match_key, seconds_to_live)
redis.call('EXPIRE', log_key, seconds_to_live)  -- no log yet in a match that waits for players
for turn = first_turn, last_turn do
  put_turn(ARGV[turn])
end
put_events()
return {run_id}
