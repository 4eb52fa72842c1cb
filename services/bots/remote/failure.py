"""How a bot can fail."""

from __future__ import annotations

from typing import Final

UNREACHABLE: Final = "unreachable"
"""It could not be called, or said each time that it could not answer now."""
LATE: Final = "late"
"""Its answer did not come in time."""
GARBLED: Final = "garbled"
"""Its answer cannot be read."""
ILLEGAL: Final = "illegal"
"""Its answer is a move, but not a legal one."""
CRASHED: Final = "crashed"
"""A bot of our own raised an exception, or its process ended."""
KINDS: Final = (UNREACHABLE, LATE, GARBLED, ILLEGAL, CRASHED)


class BotFailed(Exception):
    """A bot gave no legal move in time.

    `detail` is for those who wrote the bot: it may repeat what only its seat may know, so it is never logged.
    """

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(kind)
        self.kind: Final = kind
        self.detail: Final = detail
