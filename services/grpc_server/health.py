"""gRPC health service for probes: liveness and readiness of the process.

Liveness never depends on the store. Readiness waits for the store once, when the process starts: see `readiness`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import grpc
from grpc_health.v1 import health_pb2
from grpc_health.v1.health import aio

HEALTH: Final = "grpc.health.v1.Health"
LIVENESS: Final = "liveness"
"""Service name that is SERVING as long as the process answers."""
READINESS: Final = ""
"""Service name that is SERVING while the process is ready; the services' own names, while it accepts calls."""

SERVING: Final = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING: Final = health_pb2.HealthCheckResponse.NOT_SERVING


class Health:
    """The health status of the named services.

    A store that fails later does not make it unready: calls on inline states need none, and others get an error.
    """

    def __init__(self, services: Iterable[str]) -> None:
        self._services: Final = [*services]
        self._servicer: Final = aio.HealthServicer()

    def handler(self) -> grpc.GenericRpcHandler:
        """The gRPC handler of the health service."""
        requests, responses = health_pb2.HealthCheckRequest.FromString, health_pb2.HealthCheckResponse.SerializeToString
        return grpc.method_handlers_generic_handler(
            HEALTH,
            {
                "Check": grpc.unary_unary_rpc_method_handler(self._servicer.Check, requests, responses),
                "Watch": grpc.unary_stream_rpc_method_handler(self._servicer.Watch, requests, responses),
            },
        )

    async def serving(self) -> None:
        """Report that calls are accepted, but that the process is not ready yet."""
        await self._servicer.set(READINESS, NOT_SERVING)  # until the store has answered
        for name in (LIVENESS, *self._services):
            await self._servicer.set(name, SERVING)

    async def ready(self) -> None:
        """Report that the process is ready."""
        await self._servicer.set(READINESS, SERVING)

    async def draining(self) -> None:
        """Report that the process is no longer ready but still serves, so that load balancers choose another."""
        await self._servicer.set(READINESS, NOT_SERVING)

    async def stopping(self) -> None:
        """Report that the process is about to stop and accepts no calls."""
        for name in (READINESS, *self._services):
            await self._servicer.set(name, NOT_SERVING)
