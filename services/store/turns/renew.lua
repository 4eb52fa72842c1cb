-- Renews the claim of a worker on turns that it has taken. ARGV: milliseconds from now, then the turns.
local _, taken = turn_keys(KEYS[1])
local until_ms = now_ms() + ARGV[1]
for number = 2, #ARGV do
  redis.call('ZADD', taken, until_ms, ARGV[number])
end
