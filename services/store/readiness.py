"""Readiness: a process that has never reached its store is not ready, so that a rollout with wrong settings stops."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

log = logging.getLogger(__name__)

AGAIN_SECONDS: Final = 1.0
"""How long to wait before the store is tried again."""
START_SECONDS: Final = 1.0
"""How long a start waits for readiness: a store that answers is reached in that time."""


async def until_reached(reach: Callable[[], Awaitable[object]]) -> None:
    """Wait until `reach` raises nothing; its errors, whatever they are, mean that the store cannot be used yet."""
    waits = False
    while True:
        try:
            await reach()
            break
        except Exception as error:
            if not waits:
                log.warning("not ready until the store has been reached", extra={"error": type(error).__name__})
            waits = True
        await asyncio.sleep(AGAIN_SECONDS)
    if waits:
        log.warning("the store has been reached: ready")


class Starting:
    """A task that makes a process ready once its store has been reached."""

    def __init__(self, reach: Callable[[], Awaitable[object]], ready: Callable[[], Awaitable[None]]) -> None:
        self._reach: Final = reach
        self._ready: Final = ready
        self.reached: Final = asyncio.Event()
        """Set once the store has been reached."""
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Start; of a store that answers at once, the process is ready when this returns."""
        self._task = asyncio.create_task(self._run())
        await asyncio.wait([self._task], timeout=START_SECONDS)

    async def _run(self) -> None:
        await until_reached(self._reach)
        self.reached.set()
        await self._ready()

    async def give_up(self) -> None:
        """Do not become ready any more, since the process stops."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
