"""Scripts that Redis runs."""

from __future__ import annotations

import hashlib
from pkgutil import get_data
from typing import Final


class Script:
    """A script, which Redis knows by its digest once it has run it."""

    def __init__(self, text: str) -> None:
        self.text: Final = text
        self.digest: Final = hashlib.sha1(text.encode()).hexdigest()


def script(name: str) -> str:
    """The text of a file of this package."""
    return (get_data(__package__, name) or b"").decode()


def turn_script(name: str) -> str:
    """The same for one that uses queues of turns."""
    return script("turns_put.lua") + script(name)
