-- Claims the matches whose deadline is up, so that no other engine claims them before `until_ms`. Replies their ids.
local deadlines = KEYS[1]
local now_ms, until_ms, most = unpack(ARGV, 1, 3)
local due = redis.call('ZRANGEBYSCORE', deadlines, '-inf', now_ms, 'LIMIT', 0, most)
for _, match_id in ipairs(due) do
  redis.call('ZADD', deadlines, until_ms, match_id)
end
return due
