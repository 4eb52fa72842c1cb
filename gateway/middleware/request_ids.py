"""Request ids: taken from the client or generated, passed to the engine and its logs, returned in the response."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Iterable
from os import urandom
from typing import Final, TypeAlias

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from runtime.telemetry import call_context

RawHeader: TypeAlias = tuple[bytes, bytes]

HEADER: Final = "X-Request-Id"
_HEADER_NAME: Final = HEADER.lower().encode()
_VALID_ID: Final = re.compile(rb"[A-Za-z0-9._~:/+=-]{1,128}")


class RequestIds:
    """ASGI middleware: puts the id into `scope["request_id"]` and into the response headers.

    An id with other characters, or more than 128, is replaced, since it goes into logs and metadata.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        scope["request_id"] = request_id = _client_request_id(scope) or urandom(16).hex()
        call_context.begin(request_id=request_id)

        def send_with_id(message: Message) -> Awaitable[None]:
            # Not at "websocket.accept": granian sends no headers but its own when it accepts a WebSocket.
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                message["headers"] = _with_id(message["headers"], request_id)
            return send(message)  # not awaited: that would cost a coroutine for each message

        await self.app(scope, receive, send_with_id)


def _client_request_id(scope: Scope) -> str:
    for name, value in scope["headers"]:
        if name == _HEADER_NAME and _VALID_ID.fullmatch(value):
            return str(value, "ascii")
    return ""


def _with_id(headers: Iterable[RawHeader], request_id: str) -> Iterable[RawHeader]:
    """The response headers with the id added; a problem response already has it."""
    has_id = any(name == _HEADER_NAME for name, _ in headers)
    return headers if has_id else [*headers, (_HEADER_NAME, request_id.encode())]
