"""Stored matches and their lists in Redis; each change of a match is one Lua script."""
