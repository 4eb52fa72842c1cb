"""Large JSON is read and written in a thread, so that the event loop serves other calls meanwhile."""

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


class Offload:
    """Work that is done in a thread, one piece at a time, if it is large."""

    def __init__(self) -> None:
        self._turn: Final = asyncio.Lock()
        sys.setswitchinterval(SWITCH_SECONDS)

    async def run(self, size: int, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """The result of the work, which is done at once where its size in bytes is small."""
        if size < LARGE:
            return work(*arguments, **named)
        async with self._turn:
            return await asyncio.to_thread(work, *arguments, **named)
