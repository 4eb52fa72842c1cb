"""Parts of `fireside play`: the terminal player, its input and history, polling, and client-side bots."""
