"""Long computations give way: to calls that are short, and to each other."""

from __future__ import annotations

import asyncio
from time import perf_counter
from typing import Final

SLICE_SECONDS: Final = 0.002
"""So long one goes on; a call that is short waits about twice as long, since it is taken up in several steps."""
STEPS: Final = 4
"""How many turns of the event loop follow each slice."""


class LongWork:
    """All long computations of a process: one of them goes on at a time, for a slice, then the next in turn."""

    def __init__(self) -> None:
        self._lock: Final = asyncio.Lock()  # whoever waits for it is served in turn

    def share(self) -> Share:
        """The part of one computation in it: a context, in which it pauses often."""
        return Share(self._lock)


class Share:
    """A computation that goes on only while it has its turn."""

    def __init__(self, lock: asyncio.Lock) -> None:
        self._lock: Final = lock
        self._since = 0.0
        self._has_turn = False

    async def __aenter__(self) -> Share:
        await self._go_on()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._has_turn:
            self._lock.release()

    async def pause(self) -> None:
        """Let others go on, if it is time. Raises `CancelledError` when the client has gone, or waits no longer."""
        if perf_counter() - self._since < SLICE_SECONDS:
            return
        for _ in range(STEPS):
            await asyncio.sleep(0)
        self._has_turn = False
        self._lock.release()
        await self._go_on()

    async def _go_on(self) -> None:
        await self._lock.acquire()
        self._has_turn = True
        self._since = perf_counter()
