"""The bots service: plays the seats of live matches that are given to bots, ours or third parties'."""
