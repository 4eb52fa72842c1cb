"""Handling of SIGTERM and SIGINT: the first starts a graceful shutdown, the second cuts it short."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from typing import Final


class Signals:
    """Handles SIGTERM and SIGINT from now on: the first requests a stop, the second an immediate one."""

    def __init__(self) -> None:
        self._stop: Final = asyncio.Event()
        self._second_signal: Final = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._receive)

    def _receive(self) -> None:
        (self._second_signal if self._stop.is_set() else self._stop).set()

    def stop(self) -> None:
        """Request a stop, as the first signal does."""
        self._stop.set()

    async def wait(self) -> None:
        """Wait until a stop is requested."""
        await self._stop.wait()

    async def sleep_or_second_signal(self, seconds: float) -> None:
        """Sleep for `seconds`, or until the second signal."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._second_signal.wait()
