"""Kinds of failures of bots, and the exception for them."""

from __future__ import annotations

from typing import Final

UNREACHABLE: Final = "unreachable"
"""No call succeeded: no connection, or each response was a temporary error."""
TIMED_OUT: Final = "timeout"
"""Its answer did not arrive within the time limit."""
INVALID_ANSWER: Final = "invalid_answer"
"""Its answer is an error or cannot be parsed."""
ILLEGAL_MOVE: Final = "illegal"
"""Its answer is a move, but not a legal one."""
CRASHED: Final = "crashed"
"""A bot of our own raised an exception, or its process ended."""
FAILURE_KINDS: Final = (UNREACHABLE, TIMED_OUT, INVALID_ANSWER, ILLEGAL_MOVE, CRASHED)


class BotFailed(Exception):
    """A bot gave no legal move in time.

    `detail` is for the bot's author: it may repeat what only its seat may know, so services never log it.
    """

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(kind)
        self.kind: Final = kind
        self.detail: Final = detail
