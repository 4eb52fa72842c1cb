"""Events of a platform over REST, with real engines: an API key, server-sent events, and no gap after any break."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any, cast

import grpc
import httpx
import pytest
from fireside.match.v1.match_pb2 import SeatSpec

from cli.servers.http_server import HttpServer
from gateway.app import create_app
from gateway.settings import GatewaySettings
from runtime import api_keys
from services.engine.codecs import CODECS
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from tests.redis_server import free_port
from tests.server_sent_events import EventStreamParser, ServerSentEvent, server_sent_events
from tests.services.processes import Process
from tests.services.registry import GameClient, MatchDriver

KEY, OTHER_KEY = api_keys.new_key(), api_keys.new_key()
KEYS_TEXT = f"{api_keys.key_entry('ours', KEY)},{api_keys.key_entry('other', OTHER_KEY)}"
EVENTS = "/v1/events"
GAMES = pytest.mark.parametrize("game", CODECS)


@pytest.fixture
async def engine(redis_url: str) -> AsyncIterator[Engine]:
    keys = api_keys.parse(KEYS_TEXT)
    engine = Engine(EngineSettings(port=0, redis_url=redis_url, grace_seconds=1, api_keys=keys))
    await engine.start()
    yield engine
    await engine.stop()


@asynccontextmanager
async def gateway(address: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a gateway that listens on a port, with our API key."""
    web = HttpServer(create_app(GatewaySettings(engine_address=address)), "127.0.0.1", 0, 5)
    await web.start()
    headers = {"X-Api-Key": KEY}
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{web.port}", timeout=30, headers=headers) as client:
        yield client
    await web.stop()


@pytest.fixture
async def rest(engine: Engine) -> AsyncIterator[httpx.AsyncClient]:
    async with gateway(f"127.0.0.1:{engine.port}") as client:
        yield client


async def play_match(port: int, game: str) -> str:
    """Play a match of players for whom our platform vouches, to its end; its id."""
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        client = GameClient(channel, CODECS[game])
        client.metadata = [("x-api-key", KEY)]
        seats = [SeatSpec(name=f"N{seat}", player_id=f"p{seat}") for seat in range(client.codec.game.min_seats)]
        new = cast(Any, await client.call("NewGame", seats=seats))
        driver = MatchDriver(client, new.match_id, [seat.token for seat in new.seats], new.match)
        await driver.play(Random(1))
        return driver.match_id


async def until_over(events: AsyncIterator[ServerSentEvent], match_id: str) -> list[ServerSentEvent]:
    """The events of a match, to its end; those of other matches are left out."""
    found: list[ServerSentEvent] = []
    async for event in events:
        if event.data.get("matchId") == match_id:
            found.append(event)
            if "over" in event.data:
                return found
    raise AssertionError("the stream ended")


@GAMES
async def test_a_platform_follows_all_its_matches_by_one_stream(
    game: str, engine: Engine, rest: httpx.AsyncClient
) -> None:
    async with rest.stream("GET", EVENTS) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        events = server_sent_events(response)
        start = await anext(events)
        assert (start.kind, start.data) == ("start", {"eventId": start.id})
        match_id = await play_match(engine.port, game)
        found = await until_over(events, match_id)
    assert {(event.kind, event.data["game"]) for event in found} == {("", game)}
    assert [event.id for event in found] == [event.data["eventId"] for event in found]
    turn = cast(Any, found[0].data)["turn"]
    assert {player["playerId"] for player in turn["players"]} <= {f"p{seat}" for seat in range(8)} - {""}
    for resumption in ({"headers": {"Last-Event-ID": start.id}}, {"params": {"fromEventId": start.id}}):
        async with rest.stream("GET", EVENTS, **cast(Any, resumption)) as response:
            assert await until_over(server_sent_events(response), match_id) == found


async def test_events_need_an_api_key(rest: httpx.AsyncClient) -> None:
    for key in (api_keys.new_key(), ""):
        refused = await rest.get(EVENTS, headers={"X-Api-Key": key})
        assert (refused.status_code, refused.json()["metadata"]) == (401, {"credential": "apiKey"})
    del rest.headers["X-Api-Key"]
    refused = await rest.get(EVENTS)
    assert (refused.status_code, refused.json()["metadata"]) == (401, {"credential": "apiKey"})


@pytest.mark.parametrize("text", ["12", "x-1", "1-1-over"])
async def test_a_text_that_is_no_id_is_refused(rest: httpx.AsyncClient, text: str) -> None:
    refused = await rest.get(EVENTS, headers={"Last-Event-ID": text})
    assert (refused.status_code, refused.json()["reason"]) == (400, "INVALID_REQUEST")


async def test_a_gap_is_a_conflict(rest: httpx.AsyncClient) -> None:
    refused = await rest.get(EVENTS, headers={"Last-Event-ID": "1-0"})
    problem = refused.json()
    assert (refused.status_code, problem["reason"]) == (409, "EVENTS_DELETED")
    assert problem["metadata"] == {"fromEventId": "1-0"}


async def test_a_platform_lists_the_matches_of_a_player(engine: Engine, rest: httpx.AsyncClient) -> None:
    seats = {"seats": [{"name": "Ada", "playerId": "rest-ada"}, {"open": {}}]}
    begun = [(await rest.post("/v1/fireship/matches", json=seats)).json() for _ in range(3)]
    query: dict[str, str | int] = {"playerId": "rest-ada", "pageSize": 2, "state": "MATCH_STATE_WAITING"}
    first = (await rest.get("/v1/matches", params=query)).json()
    second = (await rest.get("/v1/matches", params={**query, "pageToken": first["nextPageToken"]})).json()
    found = [*first["matches"], *second["matches"]]
    assert sorted(each["match"]["matchId"] for each in found) == sorted(each["matchId"] for each in begun)
    assert {player["playerId"] for each in found for player in each["players"]} == {"rest-ada"}
    code = {"code": begun[0]["joinCodes"][0]["code"], "playerId": "rest-bo"}
    path = f"/v1/fireship/matches/{begun[0]['matchId']}:join"
    assert (await rest.post(path, json=code, headers={"X-Api-Key": OTHER_KEY})).status_code == 200
    theirs = await rest.get("/v1/matches", headers={"X-Api-Key": OTHER_KEY})
    assert "rest-bo" in theirs.text
    assert "rest-ada" not in theirs.text
    assert (await rest.get("/v1/matches", headers={"X-Api-Key": api_keys.new_key()})).status_code == 401
    unlisted = await rest.get("/v1/matches", params={"listed": "true"})
    assert "rest-" not in unlisted.text


async def test_another_key_gets_no_event(engine: Engine, rest: httpx.AsyncClient) -> None:
    async with (
        rest.stream("GET", EVENTS, headers={"X-Api-Key": OTHER_KEY}) as theirs,
        rest.stream("GET", EVENTS) as ours,
    ):
        events = server_sent_events(theirs)
        assert (await anext(events)).kind == "start"
        match_id = await play_match(engine.port, "fire_bulls")
        await until_over(server_sent_events(ours), match_id)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(anext(events), 1.5)


async def test_no_event_is_lost_when_engines_are_killed(redis_url: str, engine: Engine) -> None:
    """The gateway resumes at the engine that comes back; the matches go on at another meanwhile."""
    port = free_port()
    environment = {"REDIS_URL": redis_url, "FIRESIDE_API_KEYS": KEYS_TEXT}
    parser = EventStreamParser()
    async with gateway(f"127.0.0.1:{port}") as rest:
        with Process("engine", "--port", str(port), **environment) as first:
            await asyncio.to_thread(first.line)
            request = rest.build_request("GET", EVENTS)
            response = await rest.send(request, stream=True)
            events = server_sent_events(response, parser)
            start = await anext(events)
            match_ids = [await play_match(engine.port, "fire_bulls")]
            found = await until_over(events, match_ids[0])
            first.kill()
        match_ids.append(await play_match(engine.port, "fire_bulls"))
        with Process("engine", "--port", str(port), **environment) as second:
            await asyncio.to_thread(second.line)
            match_ids.append(await play_match(engine.port, "fire_bulls"))
            found += await until_over(events, match_ids[1]) + await until_over(events, match_ids[2])
            await response.aclose()
            async with rest.stream("GET", EVENTS, headers={"Last-Event-ID": start.id}) as whole:
                again = server_sent_events(whole)
                assert [event for each in match_ids for event in await until_over(again, each)] == found
