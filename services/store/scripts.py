"""Lua scripts of the store, and the digests by which Redis caches them."""

from __future__ import annotations

import hashlib
from pkgutil import get_data
from typing import Final

MAX_EVENTS: Final = 100_000
"""Number of events from which on those of a platform are deleted, the oldest first."""
EVENT_SECONDS: Final = 7 * 24 * 60 * 60
"""Time after the last event of a platform until its events are deleted."""


class Script:
    """A Lua script, and the SHA-1 digest by which Redis runs it once it has been sent."""

    def __init__(self, text: str) -> None:
        self.text: Final = text
        self.digest: Final = hashlib.sha1(text.encode()).hexdigest()


def script(name: str) -> str:
    """The text of a Lua file, by its path in this package."""
    return (get_data(__package__, name) or b"").decode()


def turn_script(name: str) -> str:
    """The text of a Lua file that uses queues of turns, with the shared functions in front."""
    return script("turns/put.lua") + script(name)


def step_script(name: str) -> str:
    """The text of a Lua file that changes a match: after the functions that such scripts share."""
    return script("outbox/add.lua") + script("archive/add.lua") + script(name)


def webhook_script(name: str) -> str:
    """The text of a Lua file that uses webhooks, with the shared functions in front."""
    return script("webhooks/due.lua") + script(name)
