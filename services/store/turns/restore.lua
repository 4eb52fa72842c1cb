-- Queues the turns again that matches owe, where they were lost. KEYS: matches.
for _, match_key in ipairs(KEYS) do
  local owed = redis.pcall('HGET', match_key, 'turns')  -- not a string without turns, and for a key that is no match
  if type(owed) == 'string' then
    for text in string.gmatch(owed, '[^\n]+') do
      put_turn(text)
    end
  end
end
