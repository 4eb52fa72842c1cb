-- Stores a match from the archive again, unless it is there: so that a token of it can be replaced.
local match_key, log_key = KEYS[1], KEYS[2]
local seconds_to_live, fields = ARGV[1], tonumber(ARGV[2])               -- the number of names and values
local first_line = 3 + fields
if redis.call('EXISTS', match_key) == 1 then
  return
end
redis.call('DEL', log_key)
for place = 3, first_line - 1, 2 do
  redis.call('HSET', match_key, ARGV[place], ARGV[place + 1])
end
for line = first_line, #ARGV do
  redis.call('XADD', log_key, (line - first_line + 1) .. '-0', 'entry', ARGV[line])
end
redis.call('EXPIRE', match_key, seconds_to_live)
redis.call('EXPIRE', log_key, seconds_to_live)
