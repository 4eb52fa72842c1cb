"""The gateway with a stub engine: routes, responses, probes and shutdown."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import grpc
import httpx
import pytest
from fastapi import FastAPI
from fireside.catalog.v1.catalog_pb2 import Game
from fireside.catalog.v1.catalog_service_pb2 import ListGamesResponse
from fireside.fire_bulls.v1.fire_bulls_pb2 import Move, Stop
from fireside.fire_bulls.v1.fire_bulls_service_pb2 import ApplyRequest, ApplyResponse, NewGameRequest, NewGameResponse
from fireside.match.v1.match_pb2 import SeatSpec
from grpc_health.v1.health_pb2 import HealthCheckResponse

from gateway.app import create_app
from gateway.routing import registry
from gateway.settings import GatewaySettings
from tests.gateway.stub_engine import StubEngine, run_stub_engine

MATCHES = "/v1/fire-bulls/matches"
MATCH = f"{MATCHES}/m1"
MOVES = f"{MATCH}/moves"
TWO_SEATS = {"seats": [{"name": "Ada"}, {"name": "Ben"}]}
ADA_AND_BEN = [SeatSpec(name="Ada"), SeatSpec(name="Ben")]


def client_of(app: FastAPI) -> httpx.AsyncClient:
    """A client of a gateway in this process."""
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="http://gateway")


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    """Wait for what soon must be."""
    for _ in range(500):
        if await condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not come about")


async def _counts(engine: StubEngine, *, cancelled: int, finished: int) -> bool:
    return (engine.cancelled, engine.finished) == (cancelled, finished)


async def was_called(engine: StubEngine) -> bool:
    return bool(engine.requests)


async def get_once(settings: GatewaySettings, path: str) -> httpx.Response:
    """The answer of a gateway of its own."""
    app = create_app(settings)
    async with app.router.lifespan_context(app), client_of(app) as client:
        return await client.get(path)


async def test_a_new_match_is_201_with_its_location(engine: StubEngine, client: httpx.AsyncClient) -> None:
    response = await client.post(MATCHES, json=TWO_SEATS)
    assert (response.status_code, response.headers["location"]) == (201, MATCH)
    assert response.json()["seats"] == [{"seat": 0, "token": "t0"}]
    assert engine.requests == [NewGameRequest(seats=ADA_AND_BEN)]


async def test_an_inline_match_is_200_without_a_location(engine: StubEngine, client: httpx.AsyncClient) -> None:
    engine.answers["NewGame"] = NewGameResponse()
    response = await client.post("/v1/fire-bulls:newGame", json=TWO_SEATS)
    assert response.status_code == 200
    assert "location" not in response.headers
    [request] = engine.requests
    assert request == NewGameRequest(seats=ADA_AND_BEN, ephemeral=True)


async def test_the_tag_of_a_match_begins_with_its_revision(client: httpx.AsyncClient) -> None:
    response = await client.get(MATCH)
    assert (response.status_code, response.headers["etag"][:4]) == (200, '"30-')
    shown = response.json()
    assert (shown["matchId"], shown["revision"], shown["toMove"], shown["over"]) == ("m1", 30, [0], False)
    assert "seat" not in shown


async def test_a_tag_and_a_key_go_with_a_move(engine: StubEngine, client: httpx.AsyncClient) -> None:
    engine.answers["Apply"] = ApplyResponse(revision=31)
    headers = {"If-Match": '"30"', "Idempotency-Key": "k1"}
    response = await client.post(MOVES, json={"move": {"stop": {}}}, headers=headers)
    assert response.json() == {"revision": 31, "events": [], "moves": []}
    expected = ApplyRequest(match_id="m1", move=Move(stop=Stop()), expected_revision=30, request_id="k1")
    assert engine.requests == [expected]


async def test_the_token_and_the_request_id_are_passed_on(engine: StubEngine, client: httpx.AsyncClient) -> None:
    response = await client.get(MATCH, headers={"Authorization": "bearer t0", "X-Request-Id": "r-1"})
    [metadata] = engine.metadata
    assert (metadata["authorization"], metadata["x-request-id"]) == ("Bearer t0", "r-1")
    assert response.headers["x-request-id"] == "r-1"


@pytest.mark.parametrize("given", ["", "two words", "x" * 129, "é"])
async def test_an_id_is_made_where_none_can_be_used(given: str, engine: StubEngine, client: httpx.AsyncClient) -> None:
    response = await client.get(MATCH, headers={b"X-Request-Id": given.encode()})
    [metadata] = engine.metadata
    assert response.headers["x-request-id"] == metadata["x-request-id"] != given
    assert "authorization" not in metadata


@pytest.mark.parametrize("given", ["Basic dTpw", "t0", "Bearer ", "Bearer é", "Bearer a\tb", "Bearer " + "a" * 5000])
async def test_what_is_no_bearer_token_is_401(given: str, engine: StubEngine, client: httpx.AsyncClient) -> None:
    response = await client.get(MATCH, headers={b"Authorization": given.encode()})
    assert (response.status_code, response.json()["reason"]) == (401, "UNAUTHENTICATED")
    assert "www-authenticate" in response.headers
    assert engine.requests == []


@pytest.mark.parametrize(
    ("verb", "path", "status", "reason"),
    [
        ("GET", "/v1/nothing", 404, "UNKNOWN_ROUTE"),
        ("GET", "/nothing", 404, "UNKNOWN_ROUTE"),
        ("GET", "/v1/games/", 404, "UNKNOWN_ROUTE"),
        ("GET", f"{MATCH}/nothing", 404, "UNKNOWN_ROUTE"),
        ("POST", "/v1/fire-bulls:nothing", 404, "UNKNOWN_ROUTE"),
        ("POST", "/v1/four-winds/matches", 404, "UNKNOWN_GAME"),
        ("GET", "/v1/four-winds/matches/m1/score", 404, "UNKNOWN_GAME"),
        ("POST", "/v1/four-winds:apply", 404, "UNKNOWN_GAME"),
        ("POST", "/v1/fire/matches", 404, "UNKNOWN_GAME"),
        ("DELETE", MATCH, 405, "UNKNOWN_ROUTE"),
        ("GET", MATCHES, 405, "UNKNOWN_ROUTE"),
        ("GET", f"{MATCH}:leave", 405, "UNKNOWN_ROUTE"),
        ("GET", f"{MATCH}:nothing", 404, "UNKNOWN_ROUTE"),
    ],
)
async def test_a_path_that_leads_nowhere_is_a_problem(
    verb: str, path: str, status: int, reason: str, client: httpx.AsyncClient
) -> None:
    response = await client.request(verb, path)
    assert (response.status_code, response.json()["reason"]) == (status, reason)
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["instance"] == path


async def test_an_unknown_game_is_named(client: httpx.AsyncClient) -> None:
    assert (await client.get("/v1/four-winds/matches/m1")).json()["metadata"] == {"game": "four_winds"}


async def test_a_wrong_method_is_told_the_right_ones(client: httpx.AsyncClient) -> None:
    assert (await client.delete(MATCH)).headers["allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b'{"notation":1}'])
async def test_a_body_that_cannot_be_read_is_400(body: bytes, engine: StubEngine, client: httpx.AsyncClient) -> None:
    response = await client.post(MOVES, content=body, headers={"Content-Type": "application/json"})
    assert (response.status_code, response.json()["reason"]) == (400, "INVALID_REQUEST")
    assert engine.requests == []


async def test_a_seat_is_left_without_a_body(engine: StubEngine, client: httpx.AsyncClient) -> None:
    assert (await client.post(f"{MATCH}:leave")).status_code == 200
    assert (await client.post(f"{MATCH}:leave", content=b"{")).status_code == 400
    assert len(engine.requests) == 1


async def test_every_fault_of_a_body_is_told(client: httpx.AsyncClient) -> None:
    response = await client.post(MOVES, json={"move": {"step": {"to": "x"}}, "colour": 1})
    assert [violation["field"] for violation in response.json()["violations"]] == ["move.step.to", "colour"]


@pytest.mark.parametrize(
    ("kind", "status"),
    [("application/json; charset=utf-8", 200), ("text/plain", 415), ("application/x-www-form-urlencoded", 415)],
)
async def test_a_body_must_be_json(kind: str, status: int, client: httpx.AsyncClient) -> None:
    response = await client.post(MOVES, content=b'{"notation":"stop"}', headers={"Content-Type": kind})
    assert response.status_code == status


async def test_a_fault_of_the_gateway_is_500_and_says_nothing_more(
    app: FastAPI, client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    app.state.engines = None
    response = await client.get(MATCH, headers={"X-Request-Id": "r-1"})
    assert (response.status_code, response.json()["reason"]) == (500, "INTERNAL")
    assert "NoneType" not in response.text
    [line] = [record for record in caplog.records if record.name == "gateway.middleware.error_handlers"]
    assert line.exc_info
    assert response.headers["x-request-id"] == "r-1"


async def test_an_engine_that_is_not_there_is_503_with_a_delay() -> None:
    response = await get_once(GatewaySettings(engine_address="127.0.0.1:1"), MATCH)
    assert (response.status_code, response.json()["reason"]) == (503, "ENGINE_UNAVAILABLE")
    assert response.headers["retry-after"] == "1"
    assert "127.0.0.1" not in response.text


async def _is_reachable(client: httpx.AsyncClient) -> bool:
    return (await client.get("/v1/games")).status_code == 200


async def test_an_engine_that_comes_back_is_found() -> None:
    async with run_stub_engine(StubEngine()) as engine:
        pass
    app = create_app(GatewaySettings(engine_address=engine.address))
    async with app.router.lifespan_context(app), client_of(app) as client:
        assert (await client.get("/v1/games")).status_code == 503
        async with run_stub_engine(engine, engine.address):
            await until(lambda: _is_reachable(client))


async def test_an_engine_that_does_not_answer_is_504(engine: StubEngine) -> None:
    engine.delay = 5.0
    response = await get_once(GatewaySettings(engine_address=engine.address, engine_seconds=0.1), MATCH)
    assert (response.status_code, response.json()["reason"]) == (504, "DEADLINE_EXCEEDED")


async def test_a_game_without_an_engine_is_unknown() -> None:
    response = await get_once(GatewaySettings(engine_address=""), MATCH)
    assert (response.status_code, response.json()["reason"]) == (404, "UNKNOWN_GAME")


def test_an_engine_of_an_unknown_game_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^FIRESIDE_ENGINE_ADDRESSES: .*'chess'"):
        create_app(GatewaySettings(engine_addresses={"chess": "127.0.0.1:1"}))


async def _disconnect_after_request(url: str, request: str, engine: StubEngine) -> None:
    """Send a request and close the connection as soon as the engine has it."""
    _, writer = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
    writer.write(request.encode())
    await until(lambda: was_called(engine))
    writer.close()
    await writer.wait_closed()


async def test_a_read_is_cancelled_when_the_client_goes(url: str, engine: StubEngine) -> None:
    engine.delay = 3.0
    await _disconnect_after_request(url, f"GET {MATCH} HTTP/1.1\r\nHost: gateway\r\n\r\n", engine)
    await until(lambda: _counts(engine, cancelled=1, finished=0))


async def test_a_move_goes_on_when_the_client_goes(url: str, engine: StubEngine) -> None:
    engine.delay = 0.3
    body = '{"notation":"stop"}'
    head = f"POST {MOVES} HTTP/1.1\r\nHost: gateway\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    await _disconnect_after_request(url, f"{head}\r\n\r\n{body}", engine)
    await until(lambda: _counts(engine, cancelled=0, finished=1))


async def test_a_move_goes_on_when_its_request_is_cancelled(engine: StubEngine, client: httpx.AsyncClient) -> None:
    engine.delay = 0.3
    moving = asyncio.create_task(client.post(MOVES, json={"notation": "stop"}))
    await until(lambda: was_called(engine))
    moving.cancel()
    await until(lambda: _counts(engine, cancelled=0, finished=1))


async def test_the_catalogues_of_several_engines_are_one(engine: StubEngine) -> None:
    games = {**registry.GAMES, "four_winds": registry.GAMES["fire_bulls"]}
    engine.answers["ListGames"] = ListGamesResponse(games=[Game(name="fire_bulls"), Game(name="spring")])
    other = StubEngine(answers={"ListGames": ListGamesResponse(games=[Game(name="four_winds"), Game(name="spring")])})
    async with run_stub_engine(other):
        settings = GatewaySettings(engine.address, {"four_winds": other.address})
        app = create_app(settings, games)
        async with app.router.lifespan_context(app), client_of(app) as client:
            both = (await client.get("/v1/games")).json()
            other.set_error("ListGames", grpc.StatusCode.UNAVAILABLE, "gone")
            one = (await client.get("/v1/games")).json()
    assert [game["name"] for game in both["games"]] == ["fire_bulls", "four_winds", "spring"]
    assert [game["name"] for game in one["games"]] == ["fire_bulls", "spring"]


async def test_pages_of_the_origins_may_call(client: httpx.AsyncClient) -> None:
    response = await client.get(MATCH, headers={"Origin": "https://play.example"})
    assert response.headers["access-control-allow-origin"] == "https://play.example"
    assert "ETag" in response.headers["access-control-expose-headers"]
    other = await client.get(MATCH, headers={"Origin": "https://elsewhere.example"})
    assert "access-control-allow-origin" not in other.headers


async def test_the_process_is_up_without_its_engines() -> None:
    assert (await get_once(GatewaySettings(engine_address="127.0.0.1:1"), "/healthz")).status_code == 200


async def test_the_gateway_is_ready_when_its_engines_serve(engine: StubEngine, client: httpx.AsyncClient) -> None:
    ready = {"status": "ready", "games": sorted(registry.GAMES), "unready": []}
    assert (await client.get("/readyz")).json() == ready
    engine.answers["Check"] = HealthCheckResponse(status=HealthCheckResponse.NOT_SERVING)
    response = await client.get("/readyz")
    assert (response.status_code, response.json()["metadata"]) == (503, {"games": ", ".join(sorted(registry.GAMES))})


async def test_one_game_that_is_away_does_not_take_the_others_out(engine: StubEngine) -> None:
    addresses = dict.fromkeys(registry.GAMES, engine.address) | {"fire_bulls": "127.0.0.1:1"}
    response = await get_once(GatewaySettings(engine_addresses=addresses), "/readyz")
    assert (response.status_code, response.json()["unready"]) == (200, ["fire_bulls"])


async def test_the_gateway_is_not_ready_without_its_engines() -> None:
    assert (await get_once(GatewaySettings(engine_address="127.0.0.1:1"), "/readyz")).status_code == 503
