"""HTTP server for ASGI applications: granian, embedded in the running event loop, with graceful shutdown."""

from __future__ import annotations

import asyncio
import resource
import socket
import sys
import time
from collections.abc import Awaitable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Final

from granian._granian import SocketHolder
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.server.embed import Server
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from runtime.addresses import bind_socket

BACKLOG: Final = 2048
"""Connections that the kernel holds until they are accepted."""
RESERVED_DESCRIPTORS: Final = 128
"""File descriptors reserved for anything but connections of HTTP clients."""
MAX_CONNECTIONS: Final = 1 << 20
"""Connection limit where file descriptors are unlimited."""
MAX_HEAD_BYTES: Final = 64 << 10
"""Largest request head, in bytes."""
QUIET_SECONDS: Final = 0.1
"""When no request arrives for so long during shutdown, the clients have reconnected elsewhere."""
QUIET_WAIT_SECONDS: Final = 2.0
"""Longest wait for such a pause in requests."""
STREAM_SECONDS: Final = 2.0
"""How long event streams continue while the server drains, so that clients that reconnect find another server."""


@dataclass(frozen=True)
class Timeouts:
    """Seconds after which a connection is closed."""

    read: float = 75.0
    """From a response until the next request head is complete: longer than proxies keep idle connections."""

    write: float = 60.0
    """While the client acknowledges no byte of a response (`TCP_USER_TIMEOUT`, on Linux only)."""


class DrainingMiddleware:
    """ASGI middleware: counts requests and, while the server drains, closes each connection with its response.

    Without that, a kept-alive connection could be closed just as the client sends a request, which would be lost.
    It adds two events to the ASGI scope: `draining` is set when the server is no longer ready, `end_streams` when event
    streams must end.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.count = 0
        self._draining: Final = asyncio.Event()
        self._end_streams: Final = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.count += 1
        scope["draining"], scope["end_streams"] = self._draining, self._end_streams
        await self.app(scope, receive, self._close_after_response(send))

    def _close_after_response(self, send: Send) -> Send:
        def closing(message: Message) -> Awaitable[None]:
            if self._draining.is_set() and message["type"] == "http.response.start":
                MutableHeaders(scope=message)["Connection"] = "close"
            return send(message)

        return closing

    def drain(self) -> None:
        """Close each connection after its next response, and end event streams after `STREAM_SECONDS`."""
        self._draining.set()
        asyncio.get_running_loop().call_later(STREAM_SECONDS, self._end_streams.set)

    async def wait_until_quiet(self) -> None:
        """Wait until no requests arrive any more, at most `QUIET_WAIT_SECONDS`."""
        self._draining.set()
        self._end_streams.set()
        deadline = time.monotonic() + QUIET_WAIT_SECONDS
        seen = -1
        while self.count != seen and time.monotonic() < deadline:
            seen = self.count
            await asyncio.sleep(QUIET_SECONDS)


class _GranianServer(Server):
    """granian on our own socket: its own would share a port that is in use, and hides which free port it got."""

    def __init__(self, app: ASGIApp, listening: socket.socket, timeouts: Timeouts) -> None:
        super().__init__(
            app,
            interface=Interfaces.ASGINL,  # we run the lifespan, so that its exceptions reach the caller of `start`
            http=HTTPModes.http1,
            websockets=True,
            backlog=BACKLOG,
            backpressure=_connections_most(),
            http1_settings=HTTP1Settings(
                header_read_timeout=round(timeouts.read * 1000), max_buffer_size=MAX_HEAD_BYTES
            ),
            log_enabled=False,  # it logs the texts of exceptions, which may repeat a secret
        )
        self._listening: Final = listening

    def _init_shared_socket(self) -> None:
        backlog = [BACKLOG] if sys.platform.startswith(("linux", "freebsd")) else []
        holder = SocketHolder(self._listening.detach(), False, *backlog)  # type: ignore[call-arg] # not declared
        self._shd = holder  # type: ignore[assignment] # not declared


class HttpServer:
    """Serves an ASGI application until `stop`; `port` is the bound port."""

    def __init__(
        self,
        app: ASGIApp,
        host: str,
        port: int,
        grace: float,
        timeouts: Timeouts = Timeouts(),  # frozen
        setting: str = "--port",
        bound: socket.socket | None = None,
    ) -> None:
        """Bind the port, unless a bound socket is given. Raises `CannotListen`, which names the setting."""
        self._app: Final = app
        self._grace: Final = grace
        self._draining: Final = DrainingMiddleware(app)
        self._socket: Final = bound or bind_socket("HTTP", host, port, setting)
        self._timeouts: Final = timeouts
        self._lifespan: Final = AsyncExitStack()
        self._running: asyncio.Task[None] | None = None
        self.port: Final[int] = self._socket.getsockname()[1]

    async def start(self) -> None:
        """Run the application's lifespan startup, and accept requests."""
        if isinstance(self._app, Starlette):
            await self._lifespan.enter_async_context(self._app.router.lifespan_context(self._app))
        _set_options(self._socket, self._timeouts)
        self._socket.listen(BACKLOG)  # connections now wait in the backlog until granian runs, and none is refused
        self._server = _GranianServer(self._draining, self._socket, self._timeouts)
        self._running = asyncio.ensure_future(self._server.serve())

    def drain(self) -> None:
        """Close connections after their responses, but serve the requests that still arrive."""
        self._draining.drain()

    async def stop(self) -> None:
        """Stop, after the requests in flight have finished or the grace period is over."""
        running, self._running = self._running, None
        if running is not None:
            await self._draining.wait_until_quiet()
            self._server.stop()  # type: ignore[no-untyped-call]
            await asyncio.wait([running], timeout=self._grace)  # no cancel on timeout: granian would not end by it
        await self._lifespan.aclose()


def _connections_most() -> int:
    """Connection limit by the available file descriptors; further connections wait in the backlog."""
    descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if descriptors == resource.RLIM_INFINITY:
        return MAX_CONNECTIONS
    return max(1, min(descriptors - RESERVED_DESCRIPTORS, MAX_CONNECTIONS))


def _set_options(listening: socket.socket, timeouts: Timeouts) -> None:
    """Set socket options on the listening socket; accepted connections inherit them."""
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(timeouts.write * 1000))
