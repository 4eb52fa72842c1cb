"""The limits on a request body, its size and its time, kept before and while it is read."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway import problems

LINGER_SECONDS: Final = 1.0
LINGER_BYTES: Final = 16 << 20
"""How long, and how much, of a refused body is thrown away behind the answer.

A client that is still sending when the connection closes would see a reset in the place of the answer.
"""

MOST_DIGITS: Final = 18
"""Of a length: more are as good as a large number."""


class BodyLimit:
    """ASGI middleware: a body that says, or turns out, to be larger than the limit gets the problem 413.

    One that tells its length is refused before any of it is read. One that does not is read up to the limit, and
    `receive` then raises the problem in the application; or 408 for one that has not come within `seconds`.
    """

    def __init__(self, app: ASGIApp, limit: int, seconds: float) -> None:
        self.app = app
        self.limit = limit
        self.seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body = _Body(receive, send, self.limit, self.seconds)
        if _told_length(scope) > self.limit:
            body.refused = True
            await problems.response(problems.too_large(self.limit), scope["path"])(scope, receive, body.send)
        else:
            await self.app(scope, body.receive, body.send)


class _Body:
    """A body that is counted as it is read; once refused, the rest of it is thrown away when the answer is out."""

    def __init__(self, receive: Receive, send: Send, limit: int, seconds: float) -> None:
        self._receive = receive
        self._send = send
        self._limit = limit
        self._seconds = seconds
        self._deadline = asyncio.get_running_loop().time() + seconds
        self._size = 0
        self._whole = False
        self.refused = False

    async def receive(self) -> Message:
        message = await (self._receive() if self._whole else self._in_time())
        self._whole = not message.get("more_body", False)
        self._size += len(message.get("body", b""))
        if self._size > self._limit:
            self.refused = True
            raise problems.too_large(self._limit)
        return message

    async def _in_time(self) -> Message:
        try:
            async with asyncio.timeout_at(self._deadline):
                return await self._receive()
        except TimeoutError:
            raise problems.too_slow(self._seconds) from None

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
