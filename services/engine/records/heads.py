"""Hash chain heads of a match: over its full log, over the log as a spectator sees it, and as each seat sees it.

An observer's chain covers only what the observer may know: a digest of a secret with few possible values would reveal
it. The head of the full chain is secret until the end.
"""

from __future__ import annotations

from typing import Final

from engine_core import chain
from engine_core.game import SPECTATOR
from services.engine.codec import LogLine

FULL_LOG: Final = 0
"""Index of the head of the full log."""
FIRST_SEAT_HEAD: Final = 2
"""Index of seat 0's head; the spectator's is the one before."""


def head_index(observer: int) -> int:
    """Index of an observer's head in the list of heads."""
    return FIRST_SEAT_HEAD - 1 if observer == SPECTATOR else FIRST_SEAT_HEAD + observer


def first_heads(start: bytes, seat_count: int) -> list[bytes]:
    """The heads before the first line, equal for all observers; `start` is what is public at the beginning."""
    return [chain.empty_head(start)] * (FIRST_SEAT_HEAD + seat_count)


def next_heads(heads: list[bytes], line: LogLine) -> list[bytes]:
    """The heads after another line of the log."""
    # 7 us a line at a table of five, for the hashes.
    seen = [line.event, line.concealed, *[line.seen_by(seat) for seat in range(len(heads) - FIRST_SEAT_HEAD)]]
    return [chain.next_head(head, event) for head, event in zip(heads, seen, strict=True)]
