-- Matches that are over, for the archive; this text goes before every script that changes a match.
-- The processes of the archive make the stream: without it there is no archive, and a finished match expires as others do. With it,
-- the match does not expire until the archive has it as it is. `finished` is its first entry, and has the time of its end;
-- `unarchived` is the number of its entries in the stream.
local function add_finished(finished_key, match_key, log_key)
  local id = finished_key ~= '' and redis.pcall('XADD', finished_key, 'NOMKSTREAM', '*', 'match', match_key)
  if type(id) == 'string' then
    redis.call('HSETNX', match_key, 'finished', id)
    redis.call('HINCRBY', match_key, 'unarchived', 1)
    redis.call('PERSIST', match_key)
    redis.call('PERSIST', log_key)
  end
end
