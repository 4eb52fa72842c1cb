"""One id a request, from the client or made here, through to the engine's logs and back in the answer."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Iterable
from os import urandom
from typing import Final, TypeAlias

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from runtime.telemetry import call_context

RawHeader: TypeAlias = tuple[bytes, bytes]

HEADER: Final = "X-Request-Id"
_NAME: Final = HEADER.lower().encode()
_ACCEPTED: Final = re.compile(rb"[A-Za-z0-9._~:/+=-]{1,128}")


class RequestIds:
    """ASGI middleware: puts the id into `scope["request_id"]` and into the answer's headers.

    An id that is no plain word of at most 128 characters is replaced, since it goes into logs and metadata.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        scope["request_id"] = request_id = _given(scope) or urandom(16).hex()
        call_context.begin(request_id=request_id)

        def stamped(message: Message) -> Awaitable[None]:
            if message["type"] == "http.response.start":
                message["headers"] = _stamped(message["headers"], request_id)
            return send(message)

        await self.app(scope, receive, stamped)


def _given(scope: Scope) -> str:
    for name, value in scope["headers"]:
        if name == _NAME and _ACCEPTED.fullmatch(value):
            return str(value, "ascii")
    return ""


def _stamped(headers: Iterable[RawHeader], request_id: str) -> Iterable[RawHeader]:
    """The headers of an answer, with the id, which a refusal has already."""
    is_stamped = any(name == _NAME for name, _ in headers)
    return headers if is_stamped else [*headers, (_NAME, request_id.encode())]
