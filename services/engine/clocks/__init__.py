"""Clocks of stored matches: time banks, deadlines, and default moves when time is up."""
