"""Stored matches: created, cached, changed by steps, and committed to the store."""
