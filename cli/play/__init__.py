"""`fireside play`: the terminal player, its input and history, polling, and the client's bots."""
