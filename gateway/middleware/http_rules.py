"""HTTP checks that the server leaves to the application (RFC 9110, RFC 9112): headers, methods, escaped paths."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote_to_bytes

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway import problems
from gateway.problems import Problem

UNREPEATABLE_HEADERS: Final = frozenset(
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
"""Headers that must not be repeated: one proxy may read the first, another the last (request smuggling)."""
_HOST_PATTERN: Final = re.compile(rb"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~!$&'()*+,;=%-]+)(:[0-9]*)?")
_ESCAPED_SEPARATORS: Final = re.compile(rb"(%(?:2[Ff]|3[Aa]|25))")
"""Escapes of `/`, `:` and `%`."""


class HttpRules:
    """ASGI middleware: refuses requests that violate HTTP, and stops escaped separators from splitting the path.

    Sets the path with all escapes decoded but those of `/`, `:` and `%`: `a%2Fb` stays one segment. Path parameters
    are decoded later, by `urllib.parse.unquote`.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            raw_path = scope["raw_path"]
            if b"%" in raw_path:  # the server has decoded all escapes in scope["path"]
                scope["path"] = decoded_path(raw_path)
            if raw_path == b"*" and scope.get("method") == "OPTIONS":
                await Response(status_code=204, headers={"Allow": "GET, HEAD, OPTIONS, POST"})(scope, receive, send)
                return
            problem = _violation(scope)
            if problem is not None:
                await problems.response(problem, scope["path"])(scope, receive, send)
                return
        await self.app(scope, receive, send)


def decoded_path(raw_path: bytes) -> str:
    """A raw path, percent-decoded except for the escapes of separators."""
    parts = _ESCAPED_SEPARATORS.split(raw_path)
    return b"".join(part.upper() if index % 2 else unquote_to_bytes(part) for index, part in enumerate(parts)).decode(
        errors="replace"
    )


def _violation(scope: Scope) -> Problem | None:
    if scope.get("method") == "CONNECT":
        return problems.http_violation(501, "CONNECT is not supported: this is not a proxy.")
    seen: dict[bytes, bytes] = {}
    for name, value in scope["headers"]:
        if name in UNREPEATABLE_HEADERS:
            if name in seen:
                return problems.http_violation(400, f"The header {name.decode().title()} is repeated.")
            seen[name] = value
    if scope["http_version"] == "1.1" and not _HOST_PATTERN.fullmatch(
        seen.get(b"host", b"")
    ):  # granian has b"" for no Host
        return problems.http_violation(400, "The header Host is missing or malformed.")
    # RFC 9112, section 6.1: other codings are 501.
    if seen.get(b"transfer-encoding", b"chunked").lower() != b"chunked":
        return problems.http_violation(501, "Transfer-Encoding must be chunked.")
    if seen.get(b"expect", b"100-continue").lower() != b"100-continue":
        return problems.http_violation(417, "Expect must be 100-continue.")
    return None
