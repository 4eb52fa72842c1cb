"""Health for probes: whether to send calls here, and whether the process lives. Neither asks the store."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import aio

HEALTH: Final = "grpc.health.v1.Health"
LIVENESS: Final = "liveness"
"""Name that is serving as long as the process answers."""
READINESS: Final = ""
"""Name that is serving while the process wants to be chosen. Those of the services are, as long as calls are taken."""

SERVING: Final = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING: Final = health_pb2.HealthCheckResponse.NOT_SERVING


class Health:
    """Says that the named services take calls, until it is told otherwise.

    A store that is away does not make it unready: calls on inline states need none, and the others are told.
    """

    def __init__(self, services: Iterable[str]) -> None:
        self._names: Final = [READINESS, *services]
        self._servicer: Final = aio.HealthServicer()

    def add_to(self, server: grpc.aio.Server) -> None:
        """Answer health checks on a server."""
        health_pb2_grpc.add_HealthServicer_to_server(self._servicer, server)

    async def ready(self) -> None:
        """Calls may come."""
        await self._servicer.set(LIVENESS, SERVING)
        for name in self._names:
            await self._servicer.set(name, SERVING)

    async def draining(self) -> None:
        """Whoever chooses a server by its readiness should choose another; those who have chosen are still served."""
        await self._servicer.set(READINESS, NOT_SERVING)

    async def leaving(self) -> None:
        """No further calls, please: the process is about to stop."""
        for name in self._names:
            await self._servicer.set(name, NOT_SERVING)
