-- Queues turns of KEYS[1], which is a queue. ARGV: the turns.
for _, text in ipairs(ARGV) do
  put_turn(text)
end
