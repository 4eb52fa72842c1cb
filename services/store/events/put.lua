-- Streams of platforms' events; this text goes before every script that adds to them, after MAX_EVENTS and EVENT_SECONDS.
-- Adds the events among the arguments: their number at `first`, then the key of a stream and an event for each. Returns the
-- index of the first argument after them, and a function that adds them, once nothing can fail any more.
local function events_from(first)
  local last = first + 2 * tonumber(ARGV[first])
  return last + 1, function()
    for place = first + 1, last, 2 do
      redis.pcall('XADD', ARGV[place], 'MAXLEN', '~', MAX_EVENTS, '*', 'event', ARGV[place + 1])
      redis.call('EXPIRE', ARGV[place], EVENT_SECONDS)
    end
  end
end
