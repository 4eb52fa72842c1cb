"""Signals: the first SIGTERM drains a process, the second one stops it at once."""

from __future__ import annotations

import os
import signal
import time

import grpc
from fireside.catalog.v1.catalog_service_pb2 import ListGamesRequest
from fireside.catalog.v1.catalog_service_pb2_grpc import CatalogServiceStub
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from tests.services.processes import Process


def readiness_status(channel: grpc.Channel) -> int:
    check: grpc.UnaryUnaryMultiCallable[HealthCheckRequest, HealthCheckResponse] = channel.unary_unary(
        "/grpc.health.v1.Health/Check",
        request_serializer=HealthCheckRequest.SerializeToString,
        response_deserializer=HealthCheckResponse.FromString,
    )
    return check(HealthCheckRequest()).status


def test_a_draining_engine_serves_until_a_second_signal() -> None:
    with Process("engine", "--port", "0", FIRESIDE_DRAIN_SECONDS="60") as engine:
        with grpc.insecure_channel(engine.line().rsplit(" ", 1)[1]) as channel:
            assert readiness_status(channel) == HealthCheckResponse.SERVING
            os.kill(engine.pid, signal.SIGTERM)
            deadline = time.monotonic() + 10
            while readiness_status(channel) == HealthCheckResponse.SERVING:
                assert time.monotonic() < deadline
                time.sleep(0.02)
            assert CatalogServiceStub(channel).ListGames(ListGamesRequest()).games
        code, _ = engine.stop()
    assert code == 0


def test_draining_bots_stop_within_the_drain_time(redis_url: str) -> None:
    with Process("bots", REDIS_URL=redis_url, FIRESIDE_DRAIN_SECONDS="0.5") as bots:
        bots.line()
        code, _ = bots.stop()
    assert code == 0
