"""Platforms, the holders of API keys: lists of their matches, and events of them."""
