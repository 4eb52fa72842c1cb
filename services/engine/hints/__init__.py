"""Hints: what bots think of the legal moves of a seat."""
