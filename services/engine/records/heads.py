"""The heads of a match's hash chains: over its log in full, as a spectator sees it, and as each seat sees it.

No chain but the one in full, which nobody sees before the end, goes over anything that its observer may not know: a
digest of few possibilities can be guessed.
"""

from __future__ import annotations

from typing import Final

from engine_core import chain
from engine_core.game import SPECTATOR
from services.engine.codec import LogLine

FULL: Final = 0
"""The place of the chain over the log in full."""
SEATS: Final = 2
"""The place of seat 0's; the spectator's is before it."""


def place(observer: int) -> int:
    """Where the head of an observer is."""
    return SEATS - 1 if observer == SPECTATOR else SEATS + observer


def begun(start: bytes, seats: int) -> list[bytes]:
    """The heads before the first line: all the same, since all that is public is the same to everybody."""
    return [chain.first(start)] * (SEATS + seats)


def advanced(heads: list[bytes], line: LogLine) -> list[bytes]:
    """The heads after one more line."""
    seen = [line.event, line.concealed, *[line.seen_by(seat) for seat in range(len(heads) - SEATS)]]
    return [chain.after(head, event) for head, event in zip(heads, seen, strict=True)]
