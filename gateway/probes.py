"""Liveness and readiness probes."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from gateway import problems
from gateway.middleware.rates import CallCounter
from gateway.upstream.engines import Engines


async def healthz(request: Request) -> Response:
    """Liveness: any process that responds is up."""
    return JSONResponse({"status": "up"})


async def readyz(request: Request) -> Response:
    """Readiness: the engines of at least one game are serving, by gRPC health checks, and the process does not drain.

    One game is enough: otherwise an outage of one game would take out all gateways, and all games with them. A gateway
    that counts calls in Redis, or has an engine in its process, is not ready until Redis has responded once, so that
    a rollout with a wrong address or password stops.
    """
    draining = request.scope.get("draining")
    if draining and draining.is_set():
        raise problems.draining()
    redis_reached: asyncio.Event | None = request.app.state.redis_reached
    if redis_reached and not redis_reached.is_set():
        raise problems.redis_never_reached()
    counter: CallCounter | None = request.app.state.counter
    if counter and not await counter.has_reached_redis():
        raise problems.redis_never_reached()
    engines: Engines = request.app.state.engines
    unready = await engines.unready_games()
    if unready and len(unready) == len(engines.addresses):
        raise problems.engine_unavailable(games=", ".join(unready))
    return JSONResponse({"status": "ready", "games": sorted(engines.addresses.keys() - unready), "unready": unready})
