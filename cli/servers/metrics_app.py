"""ASGI application of the metrics port: `/metrics`, and `/healthz` and `/readyz` for probes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, generate_latest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route


async def _metrics(request: Request) -> Response:
    """`/metrics`; formatted in a thread, so that it does not block the event loop."""
    return Response(await asyncio.to_thread(generate_latest, REGISTRY), media_type=CONTENT_TYPE_LATEST)


async def _healthz(request: Request) -> Response:
    return JSONResponse({"status": "up"})


def app(ready: asyncio.Event | None = None) -> Starlette:
    """Create the application; without `ready` it has no `/readyz`, for roles that serve readiness on another port."""
    routes = [Route("/metrics", _metrics), Route("/healthz", _healthz)]
    return Starlette(routes=routes if ready is None else [*routes, Route("/readyz", _readyz_endpoint(ready))])


def _readyz_endpoint(ready: asyncio.Event) -> Callable[[Request], Awaitable[Response]]:
    async def readyz(request: Request) -> Response:
        is_ready = ready.is_set()
        return JSONResponse({"status": "ready" if is_ready else "not ready"}, 200 if is_ready else 503)

    return readyz
