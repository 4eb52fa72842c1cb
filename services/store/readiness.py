"""Readiness: a process becomes ready once it has reached its store, so that a rollout with wrong settings stops."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

logger = logging.getLogger(__name__)

RETRY_SECONDS: Final = 1.0
"""Pause between attempts to reach the store."""
START_SECONDS: Final = 1.0
"""How long `start` waits for readiness: a store that answers is reached in that time."""


async def until_reached(reach: Callable[[], Awaitable[object]]) -> None:
    """Call `reach` until it does not raise; any error means that the store cannot be used yet."""
    is_logged = False
    while True:
        try:
            await reach()
            break
        except Exception as error:
            if not is_logged:
                logger.warning("not ready until the store has been reached", extra={"error": type(error).__name__})
            is_logged = True
        await asyncio.sleep(RETRY_SECONDS)
    if is_logged:
        logger.warning("the store has been reached: ready")


class ReadinessTask:
    """Task that makes a process ready once its store has been reached."""

    def __init__(self, reach: Callable[[], Awaitable[object]], ready: Callable[[], Awaitable[None]]) -> None:
        self._reach: Final = reach
        self._ready: Final = ready
        self.reached: Final = asyncio.Event()
        """Set once the store has been reached."""
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the task; if the store can be used now, the process is ready when this returns."""
        self._task = asyncio.create_task(self._run())
        await asyncio.wait([self._task], timeout=START_SECONDS)

    async def _run(self) -> None:
        await until_reached(self._reach)
        self.reached.set()
        await self._ready()

    async def cancel(self) -> None:
        """Cancel the task, since the process stops."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
