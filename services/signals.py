"""How a process is asked to stop."""

from __future__ import annotations

import asyncio
import signal


async def stop_signal() -> None:
    """Wait for SIGTERM or SIGINT."""
    received = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, received.set)
    await received.wait()
