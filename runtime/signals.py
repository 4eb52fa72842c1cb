"""How a process is asked to stop, and how it takes its time."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from typing import Final


class Signals:
    """SIGTERM and SIGINT from now on: the first asks to stop, the second to hurry."""

    def __init__(self) -> None:
        self._asked: Final = asyncio.Event()
        self._hurried: Final = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._receive)

    def _receive(self) -> None:
        (self._hurried if self._asked.is_set() else self._asked).set()

    async def wait(self) -> None:
        """Wait until the process is asked to stop; at once when it was asked before."""
        await self._asked.wait()

    async def linger(self, seconds: float) -> None:
        """Let time pass, until a second signal cuts it short."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._hurried.wait()
