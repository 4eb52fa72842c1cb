"""Rules of HTTP that hold for every route, and that the server leaves to the application (RFC 9110, RFC 9112)."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote_to_bytes

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway import problems
from gateway.problems import Problem

SINGLE: Final = frozenset(
    {
        b"authorization",
        b"content-type",
        b"expect",
        b"host",
        b"idempotency-key",
        b"last-event-id",
        b"transfer-encoding",
        b"x-api-key",
    }
)
"""Headers of which the first and the last might be read by different parties, so that two of them are refused."""
_HOST: Final = re.compile(rb"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~!$&'()*+,;=%-]+)(:[0-9]*)?")
_SEPARATORS: Final = re.compile(rb"(%(?:2[Ff]|3[Aa]|25))")
"""Escapes of `/`, `:` and `%`."""


class HttpRules:
    """ASGI middleware: refuses what HTTP forbids, and makes escaped separators part of the data.

    The path that goes on has all escapes decoded but those of `/`, `:` and `%`: `a%2Fb` is one part of it. Values
    that are taken from the path are decoded after that, by `urllib.parse.unquote`.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            raw = scope["raw_path"]
            if b"%" in raw:
                scope["path"] = path(raw)
            if raw == b"*" and scope["method"] == "OPTIONS":
                await Response(status_code=204, headers={"Allow": "GET, HEAD, OPTIONS, POST"})(scope, receive, send)
                return
            problem = _violation(scope)
            if problem is not None:
                await problems.response(problem, scope["path"])(scope, receive, send)
                return
        await self.app(scope, receive, send)


def path(raw: bytes) -> str:
    """A path as it was sent, decoded but for the escapes of separators."""
    parts = _SEPARATORS.split(raw)
    return b"".join(part.upper() if index % 2 else unquote_to_bytes(part) for index, part in enumerate(parts)).decode(
        errors="replace"
    )


def _violation(scope: Scope) -> Problem | None:
    if scope["method"] == "CONNECT":
        return problems.against_http(501, "This is no proxy.")
    seen: dict[bytes, bytes] = {}
    for name, value in scope["headers"]:
        if name in SINGLE:
            if name in seen:
                return problems.against_http(400, f"The header {name.decode().title()} is there twice.")
            seen[name] = value
    if scope["http_version"] == "1.1" and not _HOST.fullmatch(seen.get(b"host", b"")):  # granian has b"" for none
        return problems.against_http(400, "The header Host is missing, or holds no host.")
    if seen.get(b"transfer-encoding", b"chunked").lower() != b"chunked":
        return problems.against_http(501, "Of transfer codings, only chunked is known.")
    if seen.get(b"expect", b"100-continue").lower() != b"100-continue":
        return problems.against_http(417, "Of expectations, only 100-continue is known.")
    return None
