"""What is told of a role over HTTP: `/metrics` to whoever scrapes them, and `/healthz`."""

from __future__ import annotations

import asyncio
from typing import Final

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from telemetry.exposition import REGISTRY


async def _metrics(request: Request) -> Response:
    """Written in a thread, so that no move waits for it."""
    return Response(await asyncio.to_thread(generate_latest, REGISTRY), media_type=CONTENT_TYPE_LATEST)


async def _healthz(request: Request) -> Response:
    return JSONResponse({"status": "up"})


app: Final = Starlette(routes=[Route("/metrics", _metrics), Route("/healthz", _healthz)])
