"""Inline states: the client holds the match, and sends its state with every call."""
