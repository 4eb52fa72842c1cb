"""Fair queues of calls that take long: each caller has one call served at a time, and few that wait."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from services.grpc_server.admission.callers import caller_digest
from services.grpc_server.errors import Busy


class CallerQueues:
    """A queue for each caller, so that no number of calls of one delays another by more than one call."""

    def __init__(self, what: str, max_waiting: int) -> None:
        """`what` is queued, in words; `max_waiting` is the number of calls of a caller that wait or are served."""
        self._what: Final = what
        self._max_waiting: Final = max_waiting
        self._queues: Final[dict[str, asyncio.Semaphore]] = {}
        self._waiting: Final[dict[str, int]] = {}

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for the turn of a call of this task's caller. Raises `Busy` if too many of its calls wait."""
        caller = caller_digest("")
        count = self._waiting.get(caller, 0)
        if count >= self._max_waiting:
            raise Busy(f"more than {self._max_waiting} {self._what} of one caller")
        self._waiting[caller] = count + 1
        try:
            async with self._queues.setdefault(caller, asyncio.Semaphore(1)):
                yield
        finally:
            self._waiting[caller] -= 1
            if not self._waiting[caller]:
                del self._waiting[caller], self._queues[caller]
