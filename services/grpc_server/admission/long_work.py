"""Cooperative scheduling of long computations on the event loop: they yield to short calls and to each other."""

from __future__ import annotations

import asyncio
from time import perf_counter
from typing import Final

SLICE_SECONDS: Final = 0.002
"""Length of a slice; a short call waits about twice as long, since it is served in several steps."""
LOOP_ITERATIONS_AFTER_SLICE: Final = 4
"""Iterations of the event loop after each slice."""


class LongWork:
    """Scheduler of the long computations of a process: they run in slices, round robin."""

    def __init__(self) -> None:
        self._lock: Final = asyncio.Lock()  # asyncio's lock is fair, so computations take turns

    def share(self) -> TimeShare:
        """An async context for one computation, which calls `pause` often."""
        return TimeShare(self._lock)


class TimeShare:
    """One computation, which runs only while it holds the scheduler's lock."""

    def __init__(self, lock: asyncio.Lock) -> None:
        self._lock: Final = lock
        self._slice_start = 0.0
        self._has_turn = False

    async def __aenter__(self) -> TimeShare:
        await self._acquire()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._has_turn:
            self._lock.release()

    async def pause(self) -> None:
        """Yield at the end of a time slice. Raises `CancelledError` if the client has cancelled the call."""
        if perf_counter() - self._slice_start < SLICE_SECONDS:
            return
        for _ in range(LOOP_ITERATIONS_AFTER_SLICE):  # a short call needs several turns: read, serve, write
            await asyncio.sleep(0)
        self._has_turn = False
        self._lock.release()
        await self._acquire()

    async def _acquire(self) -> None:
        await self._lock.acquire()
        self._has_turn = True
        self._slice_start = perf_counter()
