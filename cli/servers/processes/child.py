"""The supervised end: what a process tells its supervisor, and how it ends with it."""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from threading import Thread
from typing import Final

from runtime.addresses import CannotListen
from runtime.signals import Signals

READY: Final = "ready"
DRAINED: Final = "drained"


class Supervision:
    """The connection of a process to its supervisor, whose end stops the process: it ends with the supervisor."""

    def __init__(self, connection: Connection, stop_seconds: float) -> None:
        """A process that still runs `stop_seconds` after the end of the connection is cut short."""
        self._connection: Final = connection
        self._stop_seconds: Final = stop_seconds
        self._finish: Final = asyncio.Event()

    def follow(self, signals: Signals) -> None:
        """Stop when the connection ends, also by SIGKILL of the supervisor, and also while the event loop hangs."""
        loop = asyncio.get_running_loop()

        def stop() -> None:
            self._finish.set()
            signals.stop()

        def wait() -> None:
            self._connection.poll(None)  # the supervisor sends nothing, so this is the end
            with suppress(RuntimeError):  # the loop is closed: the process ends already
                loop.call_soon_threadsafe(stop)
            time.sleep(self._stop_seconds)
            os._exit(1)

        Thread(target=wait, daemon=True).start()

    def report_ready(self) -> None:
        """Tell the supervisor that this process serves."""
        self._send(READY)

    async def wait_until_all_drained(self) -> None:
        """Wait until all processes are here: each serves calls of the others until then."""
        self._send(DRAINED)
        await self._finish.wait()

    def report_failure(self, error: Exception) -> None:
        """Tell the supervisor why this process cannot start."""
        self._send(error if isinstance(error, CannotListen) else ValueError(str(error)))

    def _send(self, message: str | Exception) -> None:
        with suppress(OSError):  # the supervisor has ended, which `follow` notices
            self._connection.send(message)
