"""Whether the process is up, and whether its engines serve."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from gateway import problems
from gateway.engines import Engines


async def healthz(request: Request) -> Response:
    """Up: true of any process that answers."""
    return JSONResponse({"status": "up"})


async def readyz(request: Request) -> Response:
    """Ready: the engine of every game says, by the health service of gRPC, that it serves, and the process stays."""
    draining = request.scope.get("draining")
    if draining and draining.is_set():
        raise problems.draining()
    engines: Engines = request.app.state.engines
    unready = await engines.unready()
    if unready:
        raise problems.engine_unavailable(unready)
    return JSONResponse({"status": "ready", "games": sorted(engines.addresses)})
