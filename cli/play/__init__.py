"""Parts of `fireside play`: the terminal player, its input and history, seats, options, and polling."""
