"""Lua scripts of the store, and the digests by which Redis caches them."""

from __future__ import annotations

import hashlib
from pkgutil import get_data
from typing import Final


class Script:
    """A Lua script, and the SHA-1 digest by which Redis runs it once it has been sent."""

    def __init__(self, text: str) -> None:
        self.text: Final = text
        self.digest: Final = hashlib.sha1(text.encode()).hexdigest()


def script(name: str) -> str:
    """The text of a Lua file of this package."""
    return (get_data(__package__, name) or b"").decode()


def turn_script(name: str) -> str:
    """The text of a Lua file that uses queues of turns, with the shared functions in front."""
    return script("turns_put.lua") + script(name)


def step_script(name: str) -> str:
    """The text of a Lua file that changes a match: with the functions of queues of turns and of events in front."""
    return script("turns_put.lua") + script("events_put.lua") + script(name)
