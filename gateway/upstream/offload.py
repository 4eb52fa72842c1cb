"""Offloading of large JSON to a thread, so that the event loop serves other calls meanwhile."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

OFFLOAD_BYTES: Final = 64 << 10
"""Size in bytes from which a thread is worth its cost."""

SWITCH_INTERVAL_SECONDS: Final = 0.0005
"""The interpreter's switch interval: how long the event loop waits for the thread at each wake-up; 0.005 by default."""


def set_switch_interval() -> None:
    """Shorten the switch interval, so that the event loop gets the GIL back soon from offloaded work."""
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)


class Offload:
    """Runs large jobs in a thread, one at a time."""

    def __init__(self) -> None:
        self._lock: Final = asyncio.Lock()

    async def run(self, size: int, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """The result of `work`. `size` is in bytes; small jobs run in the event loop."""
        if size < OFFLOAD_BYTES:
            return work(*arguments, **named)
        async with self._lock:
            return await asyncio.to_thread(work, *arguments, **named)
