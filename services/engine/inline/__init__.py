"""Inline states: the match that the client keeps and sends."""
