-- Keeps turns taken for some time from now on. KEYS: their queue. ARGV: milliseconds, the turns.
local _, taken = turn_keys(KEYS[1])
local until_ms = now_ms() + ARGV[1]
for number = 2, #ARGV do
  redis.call('ZADD', taken, until_ms, ARGV[number])
end
