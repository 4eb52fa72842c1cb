"""Server-sent events over sockets, with a real engine."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator
from random import Random
from typing import cast

import grpc
import httpx
import pytest

from cli.servers.http_server import HttpServer
from gateway.app import create_app
from gateway.settings import GatewaySettings
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from services.grpc_server.errors import LinesLost
from tests.server_sent_events import ServerSentEvent, log_entries, parsed_events, server_sent_events
from tests.services.client import Client, FireBullsDriver, new_driver


@pytest.fixture
async def engine() -> AsyncIterator[Engine]:
    engine = Engine(EngineSettings(port=0, grace_seconds=1))
    await engine.start()
    yield engine
    await engine.stop()


@pytest.fixture
async def web(engine: Engine) -> AsyncIterator[HttpServer]:
    settings = GatewaySettings(engine_address=f"127.0.0.1:{engine.port}", body_seconds=1.0)
    web = HttpServer(create_app(settings), "127.0.0.1", 0, 5)
    await web.start()
    yield web
    await web.stop()


@pytest.fixture
async def rest(web: HttpServer) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{web.port}", timeout=30) as client:
        yield client


@pytest.fixture
async def driver(engine: Engine) -> AsyncIterator[FireBullsDriver]:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield await new_driver(Client(channel))


def events_path(driver: FireBullsDriver) -> str:
    return f"/v1/fire-bulls/matches/{driver.match_id}/events"


async def received_entries(
    rest: httpx.AsyncClient, driver: FireBullsDriver, **headers: str
) -> list[tuple[int, dict[str, object]]]:
    """All log entries, to the end of the stream."""
    async with rest.stream("GET", events_path(driver), headers=headers) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        return [(int(event.id), event.data) async for event in log_entries(response)]


async def test_events_are_streamed_live_to_the_end_of_the_match_and_then_204(
    rest: httpx.AsyncClient, driver: FireBullsDriver
) -> None:
    listening = asyncio.ensure_future(received_entries(rest, driver))
    await driver.play_at_random(Random(1))
    events = await asyncio.wait_for(listening, 60)
    last = driver.match.revision
    assert [number for number, _ in events] == [*range(1, last + 1)]
    assert all(event["revision"] == number for number, event in events)
    resumed = await received_entries(rest, driver, **{"Last-Event-ID": "10"})
    assert resumed == events[10:]
    [over] = parsed_events((await rest.get(events_path(driver), headers={"Last-Event-ID": str(last)})).text)
    assert (over.kind, over.id) == ("over", f"{last}-over")
    assert (await rest.get(events_path(driver), headers={"Last-Event-ID": over.id})).status_code == 204


async def test_events_have_the_type_of_their_kind_and_the_revision_as_id(
    rest: httpx.AsyncClient, driver: FireBullsDriver
) -> None:
    await driver.play_at_random(Random(2), 5)
    first_revision = driver.match.revision
    listening = asyncio.ensure_future(
        _events_of_all_kinds(rest, f"{events_path(driver)}?fromRevision={first_revision}&views=true")
    )
    await asyncio.sleep(0.3)
    await driver.play_at_random(Random(1))
    events = await asyncio.wait_for(listening, 60)
    assert (events[0].kind, events[0].id) == ("turn", str(first_revision))
    assert {event.kind for event in events} == {"", "turn", "over"}
    assert all(event.data["revision"] == int(event.id) for event in events[:-1])
    last = driver.match.revision
    assert [int(event.id) for event in events if not event.kind] == [*range(first_revision + 1, last + 1)]
    assert all("view" in cast(dict[str, object], event.data["match"]) for event in events if event.kind == "turn")
    score = (await rest.get(events_path(driver).replace("/events", "/score"))).json()
    assert events[-1] == ("over", f"{last}-over", {"revision": last, "score": score})


async def _events_of_all_kinds(rest: httpx.AsyncClient, target: str) -> list[ServerSentEvent]:
    async with rest.stream("GET", target) as response:
        return [event async for event in server_sent_events(response)]


async def test_a_stream_whose_store_has_lost_lines_ends_with_a_problem_and_a_browser_restarts(
    rest: httpx.AsyncClient, driver: FireBullsDriver, engine: Engine
) -> None:
    async with rest.stream("GET", events_path(driver)) as response:
        lines = response.aiter_lines()
        while not (await anext(lines)).startswith("id: "):
            pass
        watched = engine._feed.find(driver.match_id)
        assert watched is not None
        watched.fail(LinesLost(9, 7))
        [*_, kind, number, data, _] = [line async for line in lines]
    assert (kind, number) == ("event: problem", "id")
    problem = json.loads(data.removeprefix("data: "))
    assert (problem["status"], problem["reason"]) == (409, "STALE_REVISION")
    assert problem["metadata"] == {"expectedRevision": "9", "revision": "7"}
    assert problem["instance"] == events_path(driver)


async def test_last_event_id_takes_precedence_over_the_query(rest: httpx.AsyncClient, driver: FireBullsDriver) -> None:
    await driver.play_at_random(Random(1))
    answer = await rest.get(
        events_path(driver) + "?fromRevision=3", headers={"Last-Event-ID": str(driver.match.revision)}
    )
    assert [event.kind for event in parsed_events(answer.text)] == ["over"]


async def test_a_refused_stream_is_a_problem(
    rest: httpx.AsyncClient, driver: FireBullsDriver, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        query = await rest.get(events_path(driver), params={"access_token": driver.tokens[0]})
    odd = [
        await rest.get(events_path(driver), headers={"Last-Event-ID": text})
        for text in ("x", "-over", "12-x", "99999999999")
    ]
    unknown = await rest.get("/v1/fire-bulls/matches/nothing/events")
    assert [answer.status_code for answer in (query, *odd, unknown)] == [400, 400, 400, 400, 400, 404]
    assert driver.tokens[0] not in query.text
    ours = [record for record in caplog.records if not record.name.startswith(("httpx", "httpcore"))]
    assert all(driver.tokens[0] not in record.getMessage() for record in ours)


async def test_a_disconnected_client_is_no_longer_watched_for(
    rest: httpx.AsyncClient, driver: FireBullsDriver, engine: Engine
) -> None:
    async with rest.stream("GET", events_path(driver)) as response:
        await anext(response.aiter_bytes())
        assert engine.watched == 1
    deadline = time.monotonic() + 20
    while engine.watched:
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)


async def test_an_unfinished_unexpected_body_ends_the_stream_in_time(
    web: HttpServer, driver: FireBullsDriver, engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", web.port)
    writer.write(f"GET {events_path(driver)} HTTP/1.1\r\nHost: gateway\r\nContent-Length: 9\r\n\r\n{{".encode())
    assert b"200 OK" in await reader.readline()
    await asyncio.wait_for(reader.readuntil(b"\r\n0\r\n"), 20)
    writer.close()
    await writer.wait_closed()
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_a_stream_without_a_body_outlives_the_body_timeout(
    rest: httpx.AsyncClient, driver: FireBullsDriver
) -> None:
    async with rest.stream("GET", events_path(driver)) as response:
        chunks = response.aiter_bytes()
        await anext(chunks)
        await asyncio.sleep(1.5)
        await driver.play_at_random(Random(1), 1)
        assert await asyncio.wait_for(anext(chunks), 20)


async def test_streams_close_when_the_gateway_stops(
    rest: httpx.AsyncClient, driver: FireBullsDriver, web: HttpServer
) -> None:
    listening = asyncio.ensure_future(received_entries(rest, driver))
    await asyncio.sleep(0.5)
    began = time.monotonic()
    await web.stop()
    await asyncio.wait_for(listening, 10)
    assert time.monotonic() - began < 5


async def test_a_draining_gateway_continues_to_serve_and_closes_connections(
    rest: httpx.AsyncClient, driver: FireBullsDriver, web: HttpServer
) -> None:
    assert (await rest.get("/readyz")).status_code == 200
    web.drain()
    match = await rest.get(events_path(driver).removesuffix("/events"))
    ready = await rest.get("/readyz")
    assert (match.status_code, match.headers["connection"]) == (200, "close")
    assert (ready.status_code, ready.json()["metadata"]) == (503, {"status": "draining"})
    assert (await rest.get("/healthz")).status_code == 200


async def test_a_stream_of_a_draining_gateway_ends_with_its_last_revision(
    rest: httpx.AsyncClient, driver: FireBullsDriver, web: HttpServer
) -> None:
    web.drain()
    async with asyncio.timeout(10):
        answer = await rest.get(events_path(driver), headers={"Last-Event-ID": "0"})
    assert answer.text.endswith(f"retry: 500\nid: {driver.match.revision}\n\n")
