"""The gateway under uvicorn, in the event loop that is running."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn import Config, Server

from cli.connections import Patience, punctual
from services.addresses import address

START_SECONDS: Final = 0.01
"""How often to look whether the server takes requests."""


QUIET_SECONDS: Final = 0.1
"""When no request has come for so long while the server leaves, its clients have gone elsewhere."""
LEAVE_SECONDS: Final = 2.0
"""How long to wait for that."""
STREAM_SECONDS: Final = 2.0
"""How long answers without an end go on while the server drains: who asks again had better find another."""


class Farewell:
    """ASGI middleware: counts the requests and, while the server drains, closes each connection with its answer.

    A connection that is kept open and closed by the server just as its client asks again would lose that request.
    The scope tells by two events what is going on: `draining`, when the server wants to be chosen no more, and
    `leaving`, when answers without an end are to end.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.count = 0
        self._draining: Final = asyncio.Event()
        self._leaving: Final = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.count += 1
        scope["draining"], scope["leaving"] = self._draining, self._leaving
        await self.app(scope, receive, self._closing(send))

    def _closing(self, send: Send) -> Send:
        def closing(message: Message) -> Awaitable[None]:
            if self._draining.is_set() and message["type"] == "http.response.start":
                MutableHeaders(scope=message)["Connection"] = "close"
            return send(message)

        return closing

    def drain(self) -> None:
        """Serve on, but send the clients elsewhere, those of streams some time later."""
        self._draining.set()
        asyncio.get_running_loop().call_later(STREAM_SECONDS, self._leaving.set)

    async def leave(self) -> None:
        """Wait until the clients have gone elsewhere, but not for ever."""
        self._draining.set()
        self._leaving.set()
        deadline = time.monotonic() + LEAVE_SECONDS
        seen = -1
        while self.count != seen and time.monotonic() < deadline:
            seen = self.count
            await asyncio.sleep(QUIET_SECONDS)


class QuietServer(Server):
    """Leaves signals to whoever runs it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class Web:
    """A web server; `port` is the one that it listens at."""

    def __init__(
        self,
        app: ASGIApp,
        host: str,
        port: int,
        grace: float,
        patience: Patience = Patience(),  # noqa: B008 # frozen
    ) -> None:
        """Raises `OSError` when it cannot listen there."""
        self._farewell: Final = Farewell(app)
        config = Config(
            self._farewell,
            http=punctual(patience),
            ws="none",
            log_config=None,
            access_log=False,
            proxy_headers=False,  # who the client is, the gateway decides
            timeout_keep_alive=patience.silence,
            timeout_graceful_shutdown=int(grace) or 1,
        )
        logging.getLogger("uvicorn.access").disabled = True  # an address may hold what should not be in it
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

    def drain(self) -> None:
        """Be no longer ready, and send the clients elsewhere, but serve those that come."""
        self._farewell.drain()

    async def stop(self) -> None:
        """Send the clients elsewhere, and let the requests in flight finish."""
        await self._farewell.leave()
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
