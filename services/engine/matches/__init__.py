"""Stored matches: created, cached, moved on and committed to the store."""
