"""How a process is asked to stop."""

from __future__ import annotations

import asyncio
import signal


def stop_signal() -> asyncio.Event:
    """An event that the first SIGTERM or SIGINT from now on sets; asked for before the start, which then ends first."""
    received = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, received.set)
    return received
