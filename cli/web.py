"""The gateway under uvicorn, in the event loop that is running."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from fastapi import FastAPI
from uvicorn import Config, Server

from services.addresses import address

START_SECONDS: Final = 0.01
"""How often to look whether the server takes requests."""


class QuietServer(Server):
    """Leaves signals to whoever runs it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class Web:
    """A web server; `port` is the one that it listens at."""

    def __init__(self, app: FastAPI, host: str, port: int, grace: float) -> None:
        """Raises `OSError` when it cannot listen there."""
        config = Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=int(grace) or 1)
        self._server: Final = QuietServer(config)
        self._socket: Final = _listening(host, port)
        self._running: asyncio.Task[None] | None = None
        self.port: Final[int] = self._socket.getsockname()[1]

    async def start(self) -> None:
        """Take requests."""
        self._running = asyncio.ensure_future(self._server.serve([self._socket]))
        while not self._server.started and not self._running.done():
            await asyncio.sleep(START_SECONDS)
        if self._running.done():
            await self._running
            raise RuntimeError("the web server did not start")

    async def stop(self) -> None:
        """Let the requests in flight finish."""
        self._server.should_exit = True
        if self._running:
            await self._running


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # so named, asyncio sends without delay
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise OSError(f"HTTP cannot listen at {address(host, port)}: {error.strerror}") from error
    return listening
