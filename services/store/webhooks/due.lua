-- Webhooks; this text goes before every script that uses them.
-- A webhook is four keys: a hash with its settings and the id of the last event that it has taken from the stream of its
-- platform (`cursor`); a sorted set of the events that are not delivered yet, by the time of the next attempt; a hash of their
-- attempts; and a list of its last attempts. A sorted set has the webhooks in use, by the time when they have to be looked at.
-- A receiver that says when it can be tried again gets nothing until then (`held_until`), tests apart. `missed_since` is the
-- time of the first event that has failed since the last success. `old_secrets` are entries `{milliseconds}:{secret}`, separated
-- by blanks: each signs, together with the secret, until that time.
local LOOK_MS = 30000
local MAX_LOG = 100

-- The clock of the store, in milliseconds since 1970.
local function now_ms()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- Sets when a webhook has to be looked at: at its next attempt, or soon, in case that a worker has missed an event.
local function set_due(due, member, pending, now, held_until)
  local first = redis.call('ZRANGE', pending, 0, 0, 'WITHSCORES')
  local next_attempt = math.max(tonumber(first[2] or now + LOOK_MS), tonumber(held_until or 0))
  redis.call('ZADD', due, math.min(next_attempt, now + LOOK_MS), member)
end

-- The time of an event, of which ids of a stream have the milliseconds since 1970.
local function time_of(id)
  return tonumber(string.match(id, '^%d+'))
end

-- Adds a line to the log of a webhook.
local function add_line(log, line)
  redis.call('LPUSH', log, line)
  redis.call('LTRIM', log, 0, MAX_LOG - 1)
end

-- The secrets that a webhook had and that still sign, the last one first, as pairs of the time until when and the secret.
local function old_secrets(text, now)
  local found = {}
  for until_ms, secret in string.gmatch(text or '', '(%d+):(%S+)') do
    if tonumber(until_ms) > now then
      found[#found + 1] = {until_ms, secret}
    end
  end
  return found
end
