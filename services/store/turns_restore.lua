-- Lets the turns wait that matches owe, should they have been lost. KEYS: matches.
for _, match in ipairs(KEYS) do
  local owed = redis.pcall('HGET', match, 'turns')  -- no string without turns, and for a key that is no match
  if type(owed) == 'string' then
    for text in string.gmatch(owed, '[^\n]+') do
      put_turn(text)
    end
  end
end
