"""Access log: request counts and latencies by route, and for each request or WebSocket a span and a line at DEBUG."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Iterable, Mapping
from functools import cache
from time import perf_counter
from typing import Final

from prometheus_client import Counter, Histogram
from starlette.datastructures import Headers
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.routing.route_index import path_template
from runtime.telemetry import call_context, metrics, tracing

logger = logging.getLogger(__name__)

METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER_LABEL: Final = "other"
"""Metrics label of unknown methods and paths: clients could otherwise create any number of time series."""
NO_RESPONSE: Final = 499
"""Status of a request whose response never started."""
SWITCHING_PROTOCOLS: Final = 101
FORBIDDEN: Final = 403
"""Status by which the server refuses a WebSocket that is closed before it is accepted."""


class AccessLog:
    """ASGI middleware: labels requests with the template of their route, since paths contain ids."""

    def __init__(self, app: ASGIApp, path_templates: Mapping[object, str]) -> None:
        self.app = app
        self.path_templates = path_templates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._serve_socket(scope, receive, send)
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = responded = perf_counter()
        status = NO_RESPONSE

        def send_wrapper(message: Message) -> Awaitable[None]:
            nonlocal status, responded
            if message["type"] == "http.response.start":
                status, responded = message["status"], perf_counter()
            return send(message)

        method = scope["method"] if scope["method"] in METHODS else OTHER_LABEL
        with tracing.server_span(method, {"http.request.method": method}, Headers(scope=scope)) as span:
            try:
                await self.app(scope, receive, send_wrapper)
            finally:
                route = self._route(scope)
                seconds = (responded if status != NO_RESPONSE else perf_counter()) - started
                _count_request(method, route, status, seconds)
                _log("request", scope, method, route, status, seconds)
                span.update_name(f"{method} {route}")
                span.set_attribute("http.route", route)
                span.set_attribute("http.response.status_code", str(status))
                if status >= 500:
                    tracing.mark_failed(span, str(status))

    async def _serve_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Counts the handshake when it is answered; the log line follows when the WebSocket is closed."""
        started = perf_counter()
        status, code, received, sent = NO_RESPONSE, 0, 0, 0

        def answered(answer: int) -> None:
            nonlocal status
            status = answer
            _count_request("GET", self._route(scope), status, perf_counter() - started)

        async def counted_receive() -> Message:
            nonlocal code, received
            message = await receive()
            received += message["type"] == "websocket.receive"
            code = message.get("code", code)
            return message

        def counted_send(message: Message) -> Awaitable[None]:
            nonlocal code, sent
            match message["type"]:
                case "websocket.send":
                    sent += 1
                case "websocket.accept":
                    answered(SWITCHING_PROTOCOLS)
                case "websocket.http.response.start":
                    answered(message["status"])
                case "websocket.close":
                    code = message.get("code", code)
                    if status == NO_RESPONSE:
                        answered(FORBIDDEN)
            return send(message)

        with tracing.server_span("GET", {"http.request.method": "GET"}, Headers(scope=scope)) as span:
            try:
                await self.app(scope, counted_receive, counted_send)
            finally:
                route = self._route(scope)
                span.update_name(f"GET {route}")
                span.set_attribute("http.route", route)
                span.set_attribute("http.response.status_code", str(status))
                _log(
                    "websocket",
                    scope,
                    "GET",
                    route,
                    status,
                    perf_counter() - started,
                    code=code,
                    received=received,
                    sent=sent,
                )

    def _route(self, scope: Scope) -> str:
        """The template of the route; only known once the route index, or the router, has set the endpoint."""
        return self.path_templates.get(scope.get("endpoint"), OTHER_LABEL)


def _count_request(method: str, route: str, status: int, seconds: float) -> None:
    requests, times = _counters(method, route, status)
    requests.inc()
    times.observe(seconds)


def _log(event: str, scope: Scope, method: str, route: str, status: int, seconds: float, **facts: int) -> None:
    if logger.isEnabledFor(logging.DEBUG):
        call_context.add(match_id=str(scope.get("path_params", {}).get("match_id", "")))
        milliseconds = round(1000 * seconds, 1)
        extra = {"method": method, "route": route, "status": status, "milliseconds": milliseconds, **facts}
        logger.debug(event, extra=extra)


@cache  # methods, routes and statuses are few, and the lookup of labels takes longer than the increment
def _counters(method: str, route: str, status: int) -> tuple[Counter, Histogram]:
    return metrics.HTTP_REQUESTS.labels(method, route, status), metrics.HTTP_SECONDS.labels(method, route)


def path_templates(routes: Iterable[BaseRoute]) -> dict[object, str]:
    """Path templates, as in `/v1/fireship/matches/{match_id}`, by endpoint, which Starlette stores in the scope."""
    found: dict[object, str] = {}
    for route in routes:
        if isinstance(route, Route | WebSocketRoute):
            found[route.endpoint] = path_template(route)
    return found
