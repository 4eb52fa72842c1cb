-- Outboxes; this text goes before every script that changes a match.
-- What a step causes at keys of other hash slots is added to the outbox of its bucket by the script that stores the step, and
-- done afterwards. An entry has the run id of the Redis process, then pairs of a key and what is put there.
local MAX_ENTRIES = 16

-- Reads the effects among the arguments: their number at `first`, then a key and a value for each. Returns the index of the
-- first argument after them, and a function that adds them once nothing can fail any more, and returns the first entries.
local function effects_from(first, outbox, run_id)
  local last = first + 2 * tonumber(ARGV[first])
  return last + 1, function()
    if last == first then
      return {}
    end
    local kind = redis.call('TYPE', outbox)
    kind = kind.ok or kind
    if kind ~= 'none' and kind ~= 'stream' then
      redis.call('DEL', outbox)  -- not ours: it would make every step fail halfway
    end
    redis.call('XADD', outbox, '*', 'run_id', run_id, unpack(ARGV, first + 1, last))
    return redis.call('XRANGE', outbox, '-', '+', 'COUNT', MAX_ENTRIES)
  end
end
