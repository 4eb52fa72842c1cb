"""Readiness: false until the store has been reached once, and independent of the store afterwards."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import grpc
import httpx
import pytest
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from redis import Redis

from services.engine.main import Engine
from services.engine.settings import EngineSettings
from services.grpc_server.health import LIVENESS, READINESS
from tests.redis_server import free_port, redis_server
from tests.services.processes import EngineProcess, Process

TIMEOUT_SECONDS = 60.0
REDIS_PASSWORD = "password-of-the-test"


def grpc_health(address: str, service: str) -> bool:
    """Whether the health service of a process says that it serves."""
    with grpc.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)]) as channel:
        check: grpc.UnaryUnaryMultiCallable[HealthCheckRequest, HealthCheckResponse] = channel.unary_unary(
            "/grpc.health.v1.Health/Check",
            request_serializer=HealthCheckRequest.SerializeToString,
            response_deserializer=HealthCheckResponse.FromString,
        )
        answer = check(HealthCheckRequest(service=service), timeout=10)
        return answer.status == HealthCheckResponse.SERVING


def http_status(url: str) -> bool:
    """Whether a probe over HTTP gets 200."""
    return httpx.get(url, timeout=10).status_code == 200


def probes(role: str, url: str, engine: str) -> tuple[Process, Callable[[], bool], Callable[[], bool]]:
    """A process of a role that has said where it is, and what its readiness and liveness probes say."""
    if role in ("engine", "tournaments"):
        process = Process(role, "--port", "0", REDIS_URL=url)
        address = process.line().rsplit(" ", 1)[1]
        return process, lambda: grpc_health(address, READINESS), lambda: grpc_health(address, LIVENESS)
    if role == "bots":
        port = free_port()
        metrics = {"FIRESIDE_METRICS_PORT": str(port), "FIRESIDE_BOT_PROCESSES": "1"}
        process = Process(role, REDIS_URL=url, **metrics)
        process.line()
        base = f"http://127.0.0.1:{port}"
    elif role == "serve":
        process = Process(role, "--port", "0", "--grpc-port", "0", REDIS_URL=url)
        base = process.line().split()[3]
    else:
        settings = {"FIRESIDE_RATE_LIMIT": "1000/minute", "FIRESIDE_ENGINE_ADDRESS": engine}
        process = Process(role, "--port", "0", REDIS_URL=url, **settings)
        base = process.line().rsplit(" ", 1)[1]
    return process, lambda: http_status(f"{base}/readyz"), lambda: http_status(f"{base}/healthz")


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.mark.parametrize("role", ["engine", "tournaments", "bots", "gateway", "serve"])
def test_fault31_a_process_with_a_wrong_redis_password_is_alive_but_never_ready(
    tmp_path: Path, redis_url: str, role: str
) -> None:
    with redis_server(tmp_path) as url, EngineProcess(redis_url).ready() as engine:
        with Redis.from_url(url) as redis:
            redis.config_set("requirepass", REDIS_PASSWORD)
        process, is_ready, is_alive = probes(role, url.replace("redis://", "redis://:wrong@"), engine.address)
        with process:
            for _ in range(5):
                assert (is_ready(), is_alive()) == (False, True)
                time.sleep(0.3)
            with Redis.from_url(url, password=REDIS_PASSWORD) as redis:
                redis.config_set("requirepass", "wrong")
            wait_until(is_ready)
            with Redis.from_url(url, password="wrong") as redis:
                redis.shutdown(nosave=True)
            assert (is_ready(), is_alive()) == (True, True)


async def test_fault31_an_engine_without_redis_still_serves_calls_that_need_none() -> None:
    engine = Engine(EngineSettings(port=0, redis_url=f"redis://127.0.0.1:{free_port()}/0", grace_seconds=1))
    await engine.start()
    address = f"127.0.0.1:{engine.port}"
    try:
        service = "fireside.fire_bulls.v1.FireBullsService"
        serving = [await asyncio.to_thread(grpc_health, address, name) for name in (READINESS, service, LIVENESS)]
        assert serving == [False, True, True]
    finally:
        await engine.stop()
