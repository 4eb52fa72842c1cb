"""The limits on request bodies, before and while they are read: size and time of each, and the size of all together."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway import problems
from runtime.telemetry import metrics

LINGER_SECONDS: Final = 3.0
LINGER_BYTES: Final = 16 << 20
"""How long, and how much, of a refused body is thrown away behind the answer.

A client that is still sending when the connection closes would see a reset in the place of the answer.
"""

MOST_DIGITS: Final = 18
"""Of a length: more are as good as a large number."""


SMALL: Final = 16 << 10
"""Bytes of a body that has room even where the others have taken theirs: its connection takes as much."""


class BodyLimit:
    """ASGI middleware: a body that says, or turns out, to be larger than the limit gets the problem 413.

    All bodies of requests that are not answered yet share the `room`, in bytes; beyond it they get the problem 429.

    One that tells its length is refused before any of it is read. One that does not is read up to the limit, and
    `receive` then raises the problem in the application; or 408 for one that has not come within `seconds`.
    """

    def __init__(self, app: ASGIApp, limit: int, seconds: float, room: int) -> None:
        self.app = app
        self.limit = limit
        self.deadlines = _Deadlines(seconds)
        self.room = _Room(room)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body = _Body(receive, send, self.limit, self.deadlines, self.room)
        if _told_length(scope) > self.limit:
            body.refused = True
            await problems.response(problems.too_large(self.limit), scope["path"])(scope, receive, body.send)
            return
        self.deadlines.begin(body)
        try:
            await self.app(scope, body.receive, body.send)
        finally:
            self.deadlines.end(body)
            self.room.give_back(body.size)


class _Room:
    """The bytes of all bodies that are held."""

    def __init__(self, most: int) -> None:
        self._most: Final = most
        self._taken = 0
        self._told: Final = metrics.INFLIGHT_BYTES.labels("http")

    def take(self, size: int, before: int) -> None:
        """Make room for a part of a body that comes after so many bytes of it. Raises `Problem` where there is none."""
        self._taken += size
        self._told.inc(size)
        if self._taken > self._most and size + before > SMALL:
            metrics.TURNED_AWAY.labels("bytes").inc()
            raise problems.busy()

    def give_back(self, size: int) -> None:
        """A body is held no more."""
        self._taken -= size
        self._told.dec(size)


class _Deadlines:
    """Tells bodies when they are late. All have the same time, so that one timer is enough for all of them."""

    def __init__(self, seconds: float) -> None:
        self.seconds: Final = seconds
        self._coming: Final[dict[_Body, float]] = {}
        """The bodies that have not come, the earliest deadline first."""
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, body: _Body) -> None:
        """Count the time of a body from now on."""
        loop = asyncio.get_running_loop()
        self._coming[body] = loop.time() + self.seconds
        if self._timer is None:
            self._timer = loop.call_later(self.seconds, self._due)

    def end(self, body: _Body) -> None:
        """It has come, or nobody wants it any more."""
        self._coming.pop(body, None)

    def _due(self) -> None:
        self._timer = None
        loop = asyncio.get_running_loop()
        for body, deadline in list(self._coming.items()):
            if deadline > loop.time():
                self._timer = loop.call_at(deadline, self._due)
                return
            self.end(body)
            body.be_late(deadline)


class _Body:
    """A body that is counted as it is read; once refused, the rest of it is thrown away when the answer is out."""

    def __init__(self, receive: Receive, send: Send, limit: int, deadlines: _Deadlines, room: _Room) -> None:
        self._receive = receive
        self._send = send
        self._limit = limit
        self._deadlines = deadlines
        self._deadline: float | None = None
        self._waiting: asyncio.Timeout | None = None
        self._room = room
        self.size = 0
        self._whole = False
        self.refused = False

    async def receive(self) -> Message:
        message = await (self._receive() if self._whole else self._in_time())
        self._whole = not message.get("more_body", False)
        if self._whole:
            self._deadlines.end(self)
        size = len(message.get("body", b""))
        before, self.size = self.size, self.size + size
        try:
            self._room.take(size, before)
            if self.size > self._limit:
                raise problems.too_large(self._limit)
        except problems.Problem:
            self.refused = True
            raise
        return message

    async def _in_time(self) -> Message:
        try:
            async with asyncio.timeout_at(self._deadline) as self._waiting:
                return await self._receive()
        except TimeoutError:
            raise problems.too_slow(self._deadlines.seconds) from None
        finally:
            self._waiting = None

    def be_late(self, deadline: float) -> None:
        """Whoever waits for it, now or later, waits no longer."""
        self._deadline = deadline
        if self._waiting is not None:
            self._waiting.reschedule(deadline)

    def send(self, message: Message) -> Awaitable[None]:
        last = self.refused and message["type"] == "http.response.body" and not message.get("more_body")
        return self._send_last(message) if last else self._send(message)

    async def _send_last(self, message: Message) -> None:
        await self._send({**message, "more_body": True})
        await self._linger()
        await self._send({"type": "http.response.body"})

    async def _linger(self) -> None:
        more, left = True, LINGER_BYTES
        with suppress(TimeoutError):
            async with asyncio.timeout(LINGER_SECONDS):
                while more and left > 0:
                    message = await self._receive()
                    more = message.get("more_body", False)
                    left -= len(message.get("body", b""))


def _told_length(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value[:MOST_DIGITS]) if value.isdigit() else 0
    return 0
