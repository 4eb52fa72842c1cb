"""Limits on request bodies: size and time of each, and the bytes of all in flight; and on the number of WebSockets."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway import problems
from runtime.service_settings import SMALL_BYTES
from runtime.telemetry import metrics

DISCARD_BYTES: Final = 16 << 20
"""After the response, at most this much of a refused body is read and discarded, for as long as a body may take.

A client that is still sending when the connection closes would see a reset instead of the response.
"""

DISCARD_PAUSE_SECONDS: Final = 3.0
"""How long the rest of a refused body may pause: a client that is not sending any more waits for the response."""

MAX_LENGTH_DIGITS: Final = 18
"""Only so many digits of `Content-Length` are parsed: such a number is above every limit."""


class BodyLimit:
    """ASGI middleware: bodies above `limit` bytes get a 413, bodies that take more than `seconds` to arrive a 408.

    The bodies of all requests in flight share `capacity` bytes; a larger total is a 429.

    A body with a declared length is refused before any of it is read. Any other is read up to the limit, and `receive`
    then raises the problem in the application.
    """

    def __init__(self, app: ASGIApp, limit: int, seconds: float, capacity: int, sockets: int) -> None:
        """`sockets`: number of open WebSockets above which a handshake gets a 429."""
        self.app = app
        self.limit = limit
        self.deadlines = _BodyDeadlines(seconds)
        self.in_flight = _InFlightBytes(capacity)
        self.max_sockets = sockets
        self.open_sockets = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._serve_socket(scope, receive, send)
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body = _LimitedBody(receive, send, self.limit, self.deadlines, self.in_flight)
        if _declared_length(scope) > self.limit:
            body.is_refused = True
            await problems.response(problems.too_large(limit=self.limit), scope["path"])(scope, receive, body.send)
            return
        self.deadlines.start(body)
        try:
            await self.app(scope, body.receive, body.send)
        finally:
            self.deadlines.finish(body)
            self.in_flight.release(body.size)

    async def _serve_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A message of a WebSocket is in flight until the next one is received."""
        if self.open_sockets >= self.max_sockets:
            metrics.REFUSED_REQUESTS.labels("websockets").inc()
            await problems.response(problems.too_many_sockets(limit=self.max_sockets), scope["path"])(
                scope, receive, send
            )
            return
        size = 0

        async def receive_counted() -> Message:
            nonlocal size
            self.in_flight.release(size)
            size = 0
            message = await receive()
            size = len(message.get("text") or message.get("bytes") or "")
            self.in_flight.add(size, 0)
            return message

        self.open_sockets += 1
        try:
            with metrics.HTTP_WEBSOCKETS.track_inprogress():
                await self.app(scope, receive_counted, send)
        finally:
            self.open_sockets -= 1
            self.in_flight.release(size)


class _InFlightBytes:
    """Counts the bytes of all bodies in flight."""

    def __init__(self, capacity: int) -> None:
        self._capacity: Final = capacity
        self._bytes = 0
        self._gauge: Final = metrics.INFLIGHT_BYTES.labels("http")

    def add(self, size: int, received_bytes: int) -> None:
        """Count `size` bytes of a body after `received_bytes` of it. Raises `Problem` above the capacity."""
        self._bytes += size
        self._gauge.inc(size)
        if self._bytes > self._capacity and size + received_bytes > SMALL_BYTES:
            metrics.REFUSED_REQUESTS.labels("bytes").inc()
            raise problems.busy()

    def release(self, size: int) -> None:
        """Subtract a body whose request is finished."""
        self._bytes -= size
        self._gauge.dec(size)


class _BodyDeadlines:
    """Deadlines of bodies. All have the same timeout, so one timer serves all of them."""

    def __init__(self, seconds: float) -> None:
        self.seconds: Final = seconds
        self._incomplete: Final[dict[_LimitedBody, float]] = {}
        """Incomplete bodies with their deadlines, earliest first."""
        self._timer: asyncio.TimerHandle | None = None

    def start(self, body: _LimitedBody) -> None:
        """Start the timeout of a body."""
        loop = asyncio.get_running_loop()
        self._incomplete[body] = loop.time() + self.seconds
        if self._timer is None:  # one timer for all bodies: they expire in the order in which they started
            self._timer = loop.call_later(self.seconds, self._expire)

    def finish(self, body: _LimitedBody) -> None:
        """Stop the timeout of a body: it is complete, or not needed any more."""
        self._incomplete.pop(body, None)

    def _expire(self) -> None:
        self._timer = None
        loop = asyncio.get_running_loop()
        for body, deadline in list(self._incomplete.items()):
            if deadline > loop.time():
                self._timer = loop.call_at(deadline, self._expire)
                return
            self.finish(body)
            body.expire(deadline)


class _LimitedBody:
    """A request body. Counts what is read; if it is refused, its rest is discarded after the response."""

    def __init__(
        self, receive: Receive, send: Send, limit: int, deadlines: _BodyDeadlines, in_flight: _InFlightBytes
    ) -> None:
        self._receive = receive
        self._send = send
        self._limit = limit
        self._deadlines = deadlines
        self._deadline: float | None = None
        self._receive_timeout: asyncio.Timeout | None = None
        self._in_flight = in_flight
        self.size = 0
        self._is_complete = False
        self.is_refused = False

    async def receive(self) -> Message:
        """Receive and count the next chunk. Raises `Problem` above a limit or after the deadline."""
        message = await (self._receive() if self._is_complete else self._receive_before_deadline())
        self._is_complete = not message.get("more_body", False)
        if self._is_complete:
            self._deadlines.finish(self)
        size = len(message.get("body", b""))
        received_bytes, self.size = self.size, self.size + size
        try:
            self._in_flight.add(size, received_bytes)
            if self.size > self._limit:
                raise problems.too_large(limit=self._limit)
        except problems.Problem:
            self.is_refused = True
            raise
        return message

    async def _receive_before_deadline(self) -> Message:
        try:
            async with asyncio.timeout_at(self._deadline) as self._receive_timeout:
                return await self._receive()
        except TimeoutError:
            raise problems.body_timeout(seconds=f"{self._deadlines.seconds:g}") from None
        finally:
            self._receive_timeout = None

    def expire(self, deadline: float) -> None:
        """Make `receive` time out, now or at its next call."""
        self._deadline = deadline
        if self._receive_timeout is not None:
            self._receive_timeout.reschedule(deadline)

    def send(self, message: Message) -> Awaitable[None]:
        """Send a message of the response. If the body was refused, its rest is discarded after the last message."""
        if self.is_refused and message["type"] == "http.response.start":
            # With a length the server would see the end of the response, and close while a body arrives.
            headers = [header for header in message["headers"] if header[0] != b"content-length"]
            return self._send({**message, "headers": headers})
        last = self.is_refused and message["type"] == "http.response.body" and not message.get("more_body")
        return self._send_end_of_response(message) if last else self._send(message)

    async def _send_end_of_response(self, message: Message) -> None:
        # The response is complete for the client, but the connection stays open until its body is read.
        await self._send({**message, "more_body": True})
        await self._discard_rest()
        await self._send({"type": "http.response.body"})

    async def _discard_rest(self) -> None:
        more, left = True, DISCARD_BYTES
        with suppress(TimeoutError):
            async with asyncio.timeout(self._deadlines.seconds):
                while more and left > 0:
                    async with asyncio.timeout(DISCARD_PAUSE_SECONDS):
                        message = await self._receive()
                    more = message.get("more_body", False)
                    left -= len(message.get("body", b""))


def _declared_length(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value[:MAX_LENGTH_DIGITS]) if value.isdigit() else 0
    return 0
