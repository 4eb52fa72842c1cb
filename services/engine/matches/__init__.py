"""Stored matches: begun, moved on, cached."""
