"""Streams of the events of platforms in Redis."""
