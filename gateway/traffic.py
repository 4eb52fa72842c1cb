"""What operators see of the traffic: counts and times by route, a span and a line of the log a request."""

from __future__ import annotations

import logging
from time import perf_counter
from typing import Final

from starlette.datastructures import Headers
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from telemetry import calls, metrics, tracing
from telemetry.tracing import Kind

log = logging.getLogger(__name__)

METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER: Final = "other"
"""Stands for methods and paths that there are not, which callers can make up without end."""
GONE: Final = 499
"""Status of a request whose answer never began."""


class Traffic:
    """ASGI middleware: a request is known by the template of its route, since a path holds ids."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = answered = perf_counter()
        status = GONE

        async def watched(message: Message) -> None:
            nonlocal status, answered
            if message["type"] == "http.response.start":
                status, answered = message["status"], perf_counter()
            await send(message)

        method = scope["method"] if scope["method"] in METHODS else OTHER
        with tracing.span(method, Kind.SERVER, {"http.request.method": method}, Headers(scope=scope)) as span:
            try:
                await self.app(scope, receive, watched)
            finally:
                route = template(scope)
                seconds = (answered if status != GONE else perf_counter()) - began
                _count(scope, method, route, status, seconds)
                span.name(f"{method} {route}")
                span.note("http.route", route)
                span.note("http.response.status_code", str(status))
                if status >= 500:
                    span.fail(str(status))


def _count(scope: Scope, method: str, route: str, status: int, seconds: float) -> None:
    metrics.HTTP_REQUESTS.labels(method, route, status).inc()
    metrics.HTTP_SECONDS.labels(method, route).observe(seconds)
    if log.isEnabledFor(logging.DEBUG):
        calls.tell(match_id=str(scope.get("path_params", {}).get("match_id", "")))
        milliseconds = round(1000 * seconds, 1)
        log.debug("request", extra={"method": method, "route": route, "status": status, "milliseconds": milliseconds})


def template(scope: Scope) -> str:
    """The route that a request has taken, as in `/v1/fireship/matches/{match_id}`."""
    route = scope.get("route")
    if isinstance(route, Route):
        return route.path.replace(":segment}", "}")
    return f"{route.path}/*" if isinstance(route, Mount) else OTHER
