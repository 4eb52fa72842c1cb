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

MATCHES_PATH = "/v1/fire-bulls/matches"
MATCH_PATH = f"{MATCHES_PATH}/m1"
MOVES_PATH = f"{MATCH_PATH}/moves"
TWO_SEATS = {"seats": [{"name": "Ada"}, {"name": "Ben"}]}
ADA_AND_BEN = [SeatSpec(name="Ada"), SeatSpec(name="Ben")]


def client_of(app: FastAPI) -> httpx.AsyncClient:
    """A client of a gateway in this process."""
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="http://gateway")


async def wait_until(condition: Callable[[], Awaitable[bool]]) -> None:
    """Wait until the condition holds."""
    for _ in range(500):
        if await condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not come about")


async def _has_counts(engine: StubEngine, *, cancelled: int, finished: int) -> bool:
    return (engine.cancelled, engine.finished) == (cancelled, finished)


async def was_called(engine: StubEngine) -> bool:
    return bool(engine.requests)


async def get_once(settings: GatewaySettings, path: str) -> httpx.Response:
    """The answer of a gateway of its own."""
    app = create_app(settings)
    async with app.router.lifespan_context(app), client_of(app) as client:
        return await client.get(path)


async def test_a_new_match_is_201_with_its_location(engine: StubEngine, client: httpx.AsyncClient) -> None:
    response = await client.post(MATCHES_PATH, json=TWO_SEATS)
    assert (response.status_code, response.headers["location"]) == (201, MATCH_PATH)
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
    response = await client.get(MATCH_PATH)
    assert (response.status_code, response.headers["etag"][:4]) == (200, '"30-')
    match_json = response.json()
    assert (match_json["matchId"], match_json["revision"], match_json["toMove"], match_json["over"]) == (
        "m1",
        30,
        [0],
        False,
    )
    assert "seat" not in match_json


async def test_if_match_and_idempotency_key_are_sent_with_a_move(engine: StubEngine, client: httpx.AsyncClient) -> None:
    engine.answers["Apply"] = ApplyResponse(revision=31)
    headers = {"If-Match": '"30"', "Idempotency-Key": "k1"}
    response = await client.post(MOVES_PATH, json={"move": {"stop": {}}}, headers=headers)
    assert response.json() == {"revision": 31, "events": [], "moves": []}
    expected = ApplyRequest(match_id="m1", move=Move(stop=Stop()), expected_revision=30, request_id="k1")
    assert engine.requests == [expected]


async def test_the_token_and_the_request_id_are_forwarded(engine: StubEngine, client: httpx.AsyncClient) -> None:
    response = await client.get(MATCH_PATH, headers={"Authorization": "bearer t0", "X-Request-Id": "r-1"})
    [metadata] = engine.metadata
    assert (metadata["authorization"], metadata["x-request-id"]) == ("Bearer t0", "r-1")
    assert response.headers["x-request-id"] == "r-1"


@pytest.mark.parametrize("given", ["", "two words", "x" * 129, "é"])
async def test_a_request_id_is_generated_if_the_given_one_is_unusable(
    given: str, engine: StubEngine, client: httpx.AsyncClient
) -> None:
    response = await client.get(MATCH_PATH, headers={b"X-Request-Id": given.encode()})
    [metadata] = engine.metadata
    assert response.headers["x-request-id"] == metadata["x-request-id"] != given
    assert "authorization" not in metadata


@pytest.mark.parametrize("given", ["Basic dTpw", "t0", "Bearer ", "Bearer é", "Bearer a\tb", "Bearer " + "a" * 5000])
async def test_a_malformed_authorization_header_is_401(
    given: str, engine: StubEngine, client: httpx.AsyncClient
) -> None:
    response = await client.get(MATCH_PATH, headers={b"Authorization": given.encode()})
    assert (response.status_code, response.json()["reason"]) == (401, "UNAUTHENTICATED")
    assert "www-authenticate" in response.headers
    assert engine.requests == []


@pytest.mark.parametrize(
    ("verb", "path", "status", "reason"),
    [
        ("GET", "/v1/nothing", 404, "UNKNOWN_ROUTE"),
        ("GET", "/nothing", 404, "UNKNOWN_ROUTE"),
        ("GET", "/v1/games/", 404, "UNKNOWN_ROUTE"),
        ("GET", f"{MATCH_PATH}/nothing", 404, "UNKNOWN_ROUTE"),
        ("POST", "/v1/fire-bulls:nothing", 404, "UNKNOWN_ROUTE"),
        ("POST", "/v1/four-winds/matches", 404, "UNKNOWN_GAME"),
        ("GET", "/v1/four-winds/matches/m1/score", 404, "UNKNOWN_GAME"),
        ("POST", "/v1/four-winds:apply", 404, "UNKNOWN_GAME"),
        ("POST", "/v1/fire/matches", 404, "UNKNOWN_GAME"),
        ("DELETE", MATCH_PATH, 405, "UNKNOWN_ROUTE"),
        ("PUT", MATCHES_PATH, 405, "UNKNOWN_ROUTE"),
        ("GET", f"{MATCH_PATH}:leave", 405, "UNKNOWN_ROUTE"),
        ("GET", f"{MATCH_PATH}:nothing", 404, "UNKNOWN_ROUTE"),
    ],
)
async def test_an_unknown_path_is_a_problem(
    verb: str, path: str, status: int, reason: str, client: httpx.AsyncClient
) -> None:
    response = await client.request(verb, path)
    assert (response.status_code, response.json()["reason"]) == (status, reason)
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["instance"] == path


async def test_an_unknown_game_is_named_in_the_problem(client: httpx.AsyncClient) -> None:
    assert (await client.get("/v1/four-winds/matches/m1")).json()["metadata"] == {"game": "four_winds"}


async def test_an_unsupported_method_is_405_with_the_allowed_methods(client: httpx.AsyncClient) -> None:
    assert (await client.delete(MATCH_PATH)).headers["allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b'{"notation":1}'])
async def test_a_malformed_body_is_400(body: bytes, engine: StubEngine, client: httpx.AsyncClient) -> None:
    response = await client.post(MOVES_PATH, content=body, headers={"Content-Type": "application/json"})
    assert (response.status_code, response.json()["reason"]) == (400, "INVALID_REQUEST")
    assert engine.requests == []


async def test_leaving_a_seat_needs_no_body(engine: StubEngine, client: httpx.AsyncClient) -> None:
    assert (await client.post(f"{MATCH_PATH}:leave")).status_code == 200
    assert (await client.post(f"{MATCH_PATH}:leave", content=b"{")).status_code == 400
    assert len(engine.requests) == 1


async def test_every_violation_of_a_body_is_reported(client: httpx.AsyncClient) -> None:
    response = await client.post(MOVES_PATH, json={"move": {"step": {"to": "x"}}, "colour": 1})
    assert [violation["field"] for violation in response.json()["violations"]] == ["move.step.to", "colour"]


@pytest.mark.parametrize(
    ("kind", "status"),
    [("application/json; charset=utf-8", 200), ("text/plain", 415), ("application/x-www-form-urlencoded", 415)],
)
async def test_a_body_must_have_a_json_content_type(kind: str, status: int, client: httpx.AsyncClient) -> None:
    response = await client.post(MOVES_PATH, content=b'{"notation":"stop"}', headers={"Content-Type": kind})
    assert response.status_code == status


async def test_an_internal_error_is_500_without_details(
    app: FastAPI, client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    app.state.engines = None
    response = await client.get(MATCH_PATH, headers={"X-Request-Id": "r-1"})
    assert (response.status_code, response.json()["reason"]) == (500, "INTERNAL")
    assert "NoneType" not in response.text
    [line] = [record for record in caplog.records if record.name == "gateway.middleware.error_handlers"]
    assert line.exc_info
    assert response.headers["x-request-id"] == "r-1"


async def test_an_unreachable_engine_is_503_with_a_retry_delay() -> None:
    response = await get_once(GatewaySettings(engine_address="127.0.0.1:1"), MATCH_PATH)
    assert (response.status_code, response.json()["reason"]) == (503, "ENGINE_UNAVAILABLE")
    assert response.headers["retry-after"] == "1"
    assert "127.0.0.1" not in response.text


async def test_an_answer_about_tournaments_that_are_away_speaks_of_no_game() -> None:
    response = await get_once(GatewaySettings(tournaments_address="127.0.0.1:1"), "/v1/tournaments")
    assert (response.status_code, response.json()["reason"]) == (503, "ENGINE_UNAVAILABLE")
    assert response.json()["detail"] == "A service that this call needs does not respond."


async def _is_reachable(client: httpx.AsyncClient) -> bool:
    return (await client.get("/v1/games")).status_code == 200


async def test_an_engine_that_restarts_is_found() -> None:
    async with run_stub_engine(StubEngine()) as engine:
        pass
    app = create_app(GatewaySettings(engine_address=engine.address))
    async with app.router.lifespan_context(app), client_of(app) as client:
        assert (await client.get("/v1/games")).status_code == 503
        async with run_stub_engine(engine, engine.address):
            await wait_until(lambda: _is_reachable(client))


async def test_an_engine_that_does_not_respond_is_504(engine: StubEngine) -> None:
    engine.delay = 5.0
    response = await get_once(GatewaySettings(engine_address=engine.address, engine_seconds=0.1), MATCH_PATH)
    assert (response.status_code, response.json()["reason"]) == (504, "DEADLINE_EXCEEDED")


async def test_a_game_without_an_engine_is_unknown() -> None:
    response = await get_once(GatewaySettings(engine_address=""), MATCH_PATH)
    assert (response.status_code, response.json()["reason"]) == (404, "UNKNOWN_GAME")


def test_an_engine_of_an_unknown_game_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^FIRESIDE_ENGINE_ADDRESSES: .*'chess'"):
        create_app(GatewaySettings(engine_addresses={"chess": "127.0.0.1:1"}))


async def _disconnect_after_request(url: str, request: str, engine: StubEngine) -> None:
    """Send a request and close the connection as soon as the engine has it."""
    _, writer = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
    writer.write(request.encode())
    await wait_until(lambda: was_called(engine))
    writer.close()
    await writer.wait_closed()


async def test_a_read_is_cancelled_when_the_client_disconnects(url: str, engine: StubEngine) -> None:
    engine.delay = 3.0
    await _disconnect_after_request(url, f"GET {MATCH_PATH} HTTP/1.1\r\nHost: gateway\r\n\r\n", engine)
    await wait_until(lambda: _has_counts(engine, cancelled=1, finished=0))


async def test_a_move_continues_when_the_client_disconnects(url: str, engine: StubEngine) -> None:
    engine.delay = 0.3
    body = '{"notation":"stop"}'
    head = (
        f"POST {MOVES_PATH} HTTP/1.1\r\nHost: gateway\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    )
    await _disconnect_after_request(url, f"{head}\r\n\r\n{body}", engine)
    await wait_until(lambda: _has_counts(engine, cancelled=0, finished=1))


async def test_a_move_continues_when_its_request_is_cancelled(engine: StubEngine, client: httpx.AsyncClient) -> None:
    engine.delay = 0.3
    moving = asyncio.create_task(client.post(MOVES_PATH, json={"notation": "stop"}))
    await wait_until(lambda: was_called(engine))
    moving.cancel()
    await wait_until(lambda: _has_counts(engine, cancelled=0, finished=1))


async def test_catalogues_of_several_engines_are_merged(engine: StubEngine) -> None:
    games = {**registry.GAMES, "four_winds": registry.GAMES["fire_bulls"]}
    engine.answers["ListGames"] = ListGamesResponse(games=[Game(name="fire_bulls"), Game(name="spring")])
    other = StubEngine(answers={"ListGames": ListGamesResponse(games=[Game(name="four_winds"), Game(name="spring")])})
    async with run_stub_engine(other):
        settings = GatewaySettings(engine.address, {"four_winds": other.address})
        app = create_app(settings, games)
        async with app.router.lifespan_context(app), client_of(app) as client:
            merged = (await client.get("/v1/games")).json()
            other.set_error("ListGames", grpc.StatusCode.UNAVAILABLE, "gone")
            one = (await client.get("/v1/games")).json()
    assert [game["name"] for game in merged["games"]] == ["fire_bulls", "four_winds", "spring"]
    assert [game["name"] for game in one["games"]] == ["fire_bulls", "spring"]


async def test_allowed_origins_may_call_over_cors(client: httpx.AsyncClient) -> None:
    response = await client.get(MATCH_PATH, headers={"Origin": "https://play.example"})
    assert response.headers["access-control-allow-origin"] == "https://play.example"
    assert "ETag" in response.headers["access-control-expose-headers"]
    other = await client.get(MATCH_PATH, headers={"Origin": "https://elsewhere.example"})
    assert "access-control-allow-origin" not in other.headers


async def test_liveness_does_not_depend_on_the_engines() -> None:
    assert (await get_once(GatewaySettings(engine_address="127.0.0.1:1"), "/healthz")).status_code == 200


async def test_readiness_requires_that_the_engines_serve(engine: StubEngine, client: httpx.AsyncClient) -> None:
    ready = {"status": "ready", "games": sorted(registry.GAMES), "unready": []}
    assert (await client.get("/readyz")).json() == ready
    engine.answers["Check"] = HealthCheckResponse(status=HealthCheckResponse.NOT_SERVING)
    response = await client.get("/readyz")
    assert (response.status_code, response.json()["metadata"]) == (503, {"games": ", ".join(sorted(registry.GAMES))})


async def test_one_unavailable_game_does_not_make_the_gateway_unready(engine: StubEngine) -> None:
    addresses = dict.fromkeys(registry.GAMES, engine.address) | {"fire_bulls": "127.0.0.1:1"}
    response = await get_once(GatewaySettings(engine_addresses=addresses), "/readyz")
    assert (response.status_code, response.json()["unready"]) == (200, ["fire_bulls"])


async def test_without_its_engines_the_gateway_is_not_ready() -> None:
    assert (await get_once(GatewaySettings(engine_address="127.0.0.1:1"), "/readyz")).status_code == 503
