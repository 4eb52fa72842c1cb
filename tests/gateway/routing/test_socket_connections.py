"""Connections of WebSockets: limits, heartbeats, the end of the gateway, lost clients, metrics and the access log."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import struct
from collections.abc import AsyncIterator, Callable
from dataclasses import replace

import grpc
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from cli.servers.http_server import HttpServer
from gateway.app import create_app
from gateway.routing import play_socket
from gateway.settings import GatewaySettings
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from tests.runtime.telemetry.samples import Growth
from tests.services.client import Client, FireBullsDriver, new_driver
from tests.services.streams import watch

PLAY_ROUTE = "/v1/fire-bulls/matches/{match_id}/play"


@pytest.fixture
async def real_engine() -> AsyncIterator[Engine]:
    engine = Engine(EngineSettings(port=0, grace_seconds=1))
    await engine.start()
    yield engine
    await engine.stop()


@pytest.fixture
async def driver(real_engine: Engine) -> AsyncIterator[FireBullsDriver]:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{real_engine.port}") as channel:
        yield await new_driver(Client(channel))


@pytest.fixture
async def web(real_engine: Engine) -> AsyncIterator[HttpServer]:
    settings = replace(GatewaySettings(), engine_address=f"127.0.0.1:{real_engine.port}", socket_limit=2)
    web = HttpServer(create_app(settings), "127.0.0.1", 0, 5)
    await web.start()
    yield web
    await web.stop()


def open_socket(web: HttpServer, driver: FireBullsDriver) -> connect:
    return connect(f"ws://127.0.0.1:{web.port}{PLAY_ROUTE.format(match_id=driver.match_id)}")


async def join(connection: ClientConnection, driver: FireBullsDriver) -> None:
    """Join and wait for the turn."""
    await connection.send(json.dumps({"token": driver.tokens[driver.seat], "join": {}}))
    assert "turn" in json.loads(await connection.recv())


async def close_code(connection: ClientConnection) -> int | None:
    """The code with which the gateway closes the connection."""
    await asyncio.wait_for(connection.wait_closed(), 20)
    return connection.close_code


async def test_a_client_that_does_not_join_in_time_is_disconnected(
    web: HttpServer, driver: FireBullsDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play_socket, "JOIN_SECONDS", 0.3)
    async with open_socket(web, driver) as connection:
        problem = json.loads(await asyncio.wait_for(connection.recv(), 20))["problem"]
        assert (problem["status"], problem["reason"]) == (408, "DEADLINE_EXCEEDED")
        assert problem["requestId"]
        assert await close_code(connection) == 1008


async def test_heartbeats_are_empty_messages(
    web: HttpServer, driver: FireBullsDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play_socket, "HEARTBEAT_SECONDS", 0.1)
    async with open_socket(web, driver) as connection:
        await join(connection, driver)
        assert [json.loads(await connection.recv()) for _ in range(3)] == [{}, {}, {}]


async def test_sockets_above_the_limit_are_refused_until_one_is_closed(
    web: HttpServer, driver: FireBullsDriver
) -> None:
    grown = Growth()
    async with open_socket(web, driver):
        async with open_socket(web, driver):
            with pytest.raises(InvalidStatus) as refused:
                await open_socket(web, driver).__aenter__()
            response = refused.value.response
            assert (response.status_code, response.headers["Retry-After"]) == (429, "1")
            assert response.headers["X-Request-Id"]
            assert json.loads(response.body)["reason"] == "TOO_MANY_STREAMS"
            assert grown.of("fireside_http_websockets") == 2
        await _wait_until(lambda: grown.of("fireside_http_websockets") == 1)
        async with open_socket(web, driver) as connection:
            await join(connection, driver)
    assert grown.of("fireside_turned_away_total", reason="websockets") == 1


async def test_a_handshake_that_repeats_a_singular_header_is_refused_with_its_request_id(
    web: HttpServer, driver: FireBullsDriver
) -> None:
    headers = [("Authorization", "Bearer a"), ("Authorization", "Bearer b"), ("X-Request-Id", "our-id")]
    url = f"ws://127.0.0.1:{web.port}{PLAY_ROUTE.format(match_id=driver.match_id)}"
    with pytest.raises(InvalidStatus) as refused:
        await connect(url, additional_headers=headers).__aenter__()
    response = refused.value.response
    assert (response.status_code, response.headers["X-Request-Id"]) == (400, "our-id")


async def test_sockets_end_with_1012_when_the_gateway_stops(web: HttpServer, driver: FireBullsDriver) -> None:
    async with open_socket(web, driver) as joined, open_socket(web, driver) as unjoined:
        await join(joined, driver)
        stopping = asyncio.ensure_future(web.stop())
        assert [await close_code(joined), await close_code(unjoined)] == [1012, 1012]
        await stopping


async def test_a_handshake_is_counted_and_the_connection_is_logged(
    web: HttpServer, driver: FireBullsDriver, caplog: pytest.LogCaptureFixture
) -> None:
    grown = Growth()
    with caplog.at_level(logging.DEBUG, "gateway.middleware.access_log"):
        async with open_socket(web, driver) as connection:
            await join(connection, driver)
            assert grown.of("fireside_http_requests_total", method="GET", route=PLAY_ROUTE, status="101") == 1
        await _wait_until(lambda: any(record.message == "websocket" for record in caplog.records))
    [line] = [record for record in caplog.records if record.message == "websocket"]
    assert {"route": PLAY_ROUTE, "status": 101, "code": 1000, "received": 1, "sent": 1}.items() <= vars(line).items()


async def test_a_lost_client_ends_its_stream_without_an_error(
    web: HttpServer, driver: FireBullsDriver, real_engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_socket(web, driver) as connection:
        await join(connection, driver)
        assert real_engine.watched == 1
        lost: socket.socket = connection.transport.get_extra_info("socket")
        lost.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset instead of an end
        connection.transport.abort()
        await _wait_until(lambda: real_engine.watched == 0)
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_a_socket_waits_for_an_engine_whose_streams_are_all_in_use(redis_url: str) -> None:
    engine = Engine(EngineSettings(port=0, grace_seconds=1, redis_url=redis_url))
    await engine.start()
    web = HttpServer(create_app(GatewaySettings(engine_address=f"127.0.0.1:{engine.port}")), "127.0.0.1", 0, 5)
    await web.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        driver = await new_driver(Client(channel))
        async with open_socket(web, driver) as connection:
            await join(connection, driver)
            await engine.stop()
            full = Engine(EngineSettings(port=engine.port, grace_seconds=1, redis_url=redis_url, stream_limit=1))
            await full.start()
            watching = watch(channel, driver.match_id)
            await asyncio.wait_for(watching.read(), 10)
            await asyncio.sleep(2)  # four attempts to resume
            watching.cancel()
            assert "turn" in await _next_message(connection)
    await web.stop()
    await full.stop()


async def _next_message(connection: ClientConnection) -> dict[str, object]:
    """The next message that is no heartbeat."""
    while not (message := json.loads(await asyncio.wait_for(connection.recv(), 20))):
        pass
    return dict(message)


async def _wait_until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.02)
