"""Large JSON is read and written beside the event loop, so that other calls go on meanwhile."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

LARGE: Final = 64 << 10
"""Bytes from which on it is worth a thread."""

SWITCH_SECONDS: Final = 0.0005
"""How long the event loop waits for the interpreter, each time that it wakes up meanwhile; 0.005 by itself."""


class Aside:
    """One thread's worth of work: what comes meanwhile waits for its turn."""

    def __init__(self) -> None:
        self._turn: Final = asyncio.Lock()
        sys.setswitchinterval(SWITCH_SECONDS)

    async def do(self, size: int, work: Callable[P, T], *words: P.args, **named: P.kwargs) -> T:
        """What the work comes to, which is done at once where its size is small."""
        if size < LARGE:
            return work(*words, **named)
        async with self._turn:
            return await asyncio.to_thread(work, *words, **named)
