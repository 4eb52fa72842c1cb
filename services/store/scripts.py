"""Lua scripts of the store, and the digests by which Redis caches them."""

from __future__ import annotations

import hashlib
from pkgutil import get_data
from typing import Final


class Script:
    """A script, and the digest by which Redis runs it once it has been sent."""

    def __init__(self, text: str) -> None:
        self.text: Final = text
        self.digest: Final = hashlib.sha1(text.encode()).hexdigest()


def script(name: str) -> str:
    """The text of a Lua file of this package."""
    return (get_data(__package__, name) or b"").decode()


def turn_script(name: str) -> str:
    """The text of one that uses queues of turns, after the functions for them."""
    return script("turns_put.lua") + script(name)
