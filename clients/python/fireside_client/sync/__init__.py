"""Synchronous client; written by `generate.py` from `aio/`, but for this file."""
