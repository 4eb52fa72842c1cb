"""Health service: readiness and liveness, without the store."""

from __future__ import annotations

from collections.abc import AsyncIterator

import grpc
import pytest
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from services.grpc_server.health import LIVENESS, Health

SERVICE = "fireside.fire_bulls.v1.FireBullsService"
SERVING, NOT_SERVING = HealthCheckResponse.SERVING, HealthCheckResponse.NOT_SERVING


class Probe:
    """Client of the health service."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._check: grpc.aio.UnaryUnaryMultiCallable[HealthCheckRequest, HealthCheckResponse] = channel.unary_unary(
            "/grpc.health.v1.Health/Check",
            request_serializer=HealthCheckRequest.SerializeToString,
            response_deserializer=HealthCheckResponse.FromString,
        )

    async def status(self, service: str) -> int:
        """The serving status of a service."""
        return (await self._check(HealthCheckRequest(service=service))).status


@pytest.fixture
def health() -> Health:
    return Health([SERVICE])


@pytest.fixture
async def probe(health: Health) -> AsyncIterator[Probe]:
    server = grpc.aio.server()
    server.add_generic_rpc_handlers([health.handler()])
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        yield Probe(channel)
    await server.stop(None)


async def test_an_engine_that_accepts_calls_is_ready_and_alive(health: Health, probe: Probe) -> None:
    await health.serving()
    await health.ready()
    assert [await probe.status(name) for name in ("", SERVICE, LIVENESS)] == [SERVING] * 3


async def test_an_engine_that_stops_is_alive_but_not_ready(health: Health, probe: Probe) -> None:
    await health.serving()
    await health.ready()
    await health.stopping()
    assert [await probe.status(name) for name in ("", SERVICE, LIVENESS)] == [NOT_SERVING, NOT_SERVING, SERVING]


async def test_an_engine_that_drains_is_not_ready_but_accepts_calls(health: Health, probe: Probe) -> None:
    await health.serving()
    await health.ready()
    await health.draining()
    assert [await probe.status(name) for name in ("", SERVICE, LIVENESS)] == [NOT_SERVING, SERVING, SERVING]


async def test_an_unknown_service_has_unknown_health(health: Health, probe: Probe) -> None:
    await health.serving()
    await health.ready()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await probe.status("fireside.chess.v1.ChessService")
    assert caught.value.code() == grpc.StatusCode.NOT_FOUND
