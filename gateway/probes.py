"""Whether the process is up, and whether any of its engines serve."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from gateway import problems
from gateway.middleware.rates import Counter
from gateway.upstream.engines import Engines


async def healthz(request: Request) -> Response:
    """Up: true of any process that answers."""
    return JSONResponse({"status": "up"})


async def readyz(request: Request) -> Response:
    """Ready: engines of some game say, by the health service of gRPC, that they serve, and the process stays.

    Not of every game: where one is away, all gateways would be taken out, and the other games with it. A gateway that
    counts calls in Redis, or has an engine in its process, is not ready before Redis has been reached: so a rollout
    with a wrong address or password stops.
    """
    draining = request.scope.get("draining")
    if draining and draining.is_set():
        raise problems.draining()
    reached: asyncio.Event | None = request.app.state.reached
    if reached and not reached.is_set():
        raise problems.redis_never_reached()
    counter: Counter | None = request.app.state.counter
    if counter and not await counter.has_reached_redis():
        raise problems.redis_never_reached()
    engines: Engines = request.app.state.engines
    unready = await engines.unready()
    if unready and len(unready) == len(engines.addresses):
        raise problems.engine_unavailable(unready)
    return JSONResponse({"status": "ready", "games": sorted(engines.addresses.keys() - unready), "unready": unready})
