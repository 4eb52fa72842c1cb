"""The parts of `fireside play`: input, history, seats, waiting, and bots of this client."""
