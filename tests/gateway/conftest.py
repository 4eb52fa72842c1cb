"""Fixtures: a gateway with a stub engine, or with a real one."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI
from fireside.fire_bulls.v1.fire_bulls_service_pb2 import GetMatchResponse, Match, NewGameResponse
from fireside.match.v1.match_pb2 import SeatToken
from grpc_health.v1 import health_pb2

from cli.servers.http_server import HttpServer
from gateway.app import create_app
from gateway.settings import GatewaySettings
from services.engine.settings import EngineSettings
from tests.gateway.real_engine import client_of
from tests.gateway.stub_engine import StubEngine, run_stub_engine


@pytest.fixture
async def engine() -> AsyncIterator[StubEngine]:
    engine = StubEngine()
    engine.answers = {
        "NewGame": NewGameResponse(match_id="m1", revision=30, seats=[SeatToken(seat=0, token="t0")], match=Match()),
        "GetMatch": GetMatchResponse(match=Match(match_id="m1", game="fire_bulls", revision=30, to_move=[0])),
        "Check": health_pb2.HealthCheckResponse(status=health_pb2.HealthCheckResponse.SERVING),
    }
    async with run_stub_engine(engine):
        yield engine


@pytest.fixture
def settings(engine: StubEngine) -> GatewaySettings:
    return GatewaySettings(engine_address=engine.address, engine_seconds=5.0, cors_origins=("https://play.example",))


@pytest.fixture
async def app(settings: GatewaySettings) -> AsyncIterator[FastAPI]:
    app = create_app(settings)
    async with app.router.lifespan_context(app):
        yield app


@pytest.fixture
async def client(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://gateway") as client:
        yield client


@pytest.fixture
async def url(settings: GatewaySettings) -> AsyncIterator[str]:
    """URL of a gateway that listens on a port."""
    web = HttpServer(create_app(settings), "127.0.0.1", 0, 1)
    await web.start()
    yield f"http://127.0.0.1:{web.port}"
    await web.stop()


@pytest.fixture
async def rest() -> AsyncIterator[httpx.AsyncClient]:
    """A client of a gateway with a real engine of all games."""
    async with client_of(EngineSettings(port=0, grace_seconds=1)) as client:
        yield client
