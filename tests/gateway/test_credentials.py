"""API keys and seat tokens: how the gateway passes them on, for every game."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI

from gateway.routing import registry
from runtime import api_keys
from services.engine.settings import EngineSettings
from tests.gateway.real_engine import client_of
from tests.gateway.stub_engine import StubEngine

KEY = api_keys.new_key()
KNOWN = api_keys.parse(api_keys.key_entry("ours", KEY))
GAMES = [f"/v1/{game.replace('_', '-')}" for game in registry.GAMES]
TWO_SEATS = {"seats": [{"name": "Ada"}, {"name": "Ben"}]}
ORIGIN = {"Origin": "https://play.example"}
HEADERS = [
    "Authorization",
    "X-Api-Key",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
    "X-Request-Id",
]

EVERY_GAME = pytest.mark.parametrize("path", GAMES)


@pytest.fixture
async def rest() -> AsyncIterator[httpx.AsyncClient]:
    """A gateway before an engine that asks for keys."""
    settings = EngineSettings(port=0, grace_seconds=1, api_keys=KNOWN, token_keys={"a": b"k" * 32})
    async with client_of(settings, (ORIGIN["Origin"],), ORIGIN) as client:
        yield client


@EVERY_GAME
async def test_a_key_begins_a_match_and_without_there_is_a_problem(path: str, rest: httpx.AsyncClient) -> None:
    begun = await rest.post(f"{path}/matches", json=TWO_SEATS, headers={"X-Api-Key": KEY})
    assert begun.status_code == 201
    for headers in ({}, {"X-Api-Key": api_keys.new_key()}, {"Authorization": f"Bearer {KEY}"}):
        refused = await rest.post(f"{path}/matches", json=TWO_SEATS, headers=headers)
        assert (refused.status_code, refused.json()["reason"]) == (401, "UNAUTHENTICATED")
        assert refused.json()["metadata"] == {"credential": "apiKey"}
        assert refused.headers["www-authenticate"] == 'ApiKey realm="fireside"'
        assert refused.headers["access-control-allow-origin"] == ORIGIN["Origin"]


@EVERY_GAME
async def test_inline_matches_need_no_key(path: str, rest: httpx.AsyncClient) -> None:
    assert (await rest.post(f"{path}:newGame", json=TWO_SEATS)).status_code == 200


@EVERY_GAME
async def test_a_bad_seat_token_asks_for_a_bearer_token(path: str, rest: httpx.AsyncClient) -> None:
    match_id = (await rest.post(f"{path}/matches", json=TWO_SEATS, headers={"X-Api-Key": KEY})).json()["matchId"]
    refused = await rest.get(f"{path}/matches/{match_id}", headers={"Authorization": "Bearer x"})
    assert (refused.status_code, refused.json()["metadata"]) == (401, {"credential": "seatToken"})
    assert refused.headers["www-authenticate"] == 'Bearer realm="fireside"'


@pytest.mark.parametrize("key", ["", "k" * 257, "é", "a\tb"])
async def test_what_can_be_no_key_goes_no_further(key: str, client: httpx.AsyncClient, engine: StubEngine) -> None:
    refused = await client.post(f"{GAMES[0]}/matches", json=TWO_SEATS, headers={b"X-Api-Key": key.encode()})
    assert (refused.status_code, refused.json()["metadata"]) == (401, {"credential": "apiKey"})
    assert engine.requests == []


async def test_a_key_goes_to_the_engine_with_what_it_is_for_only(client: httpx.AsyncClient, engine: StubEngine) -> None:
    headers = {"X-Api-Key": KEY}
    await client.post(f"{GAMES[0]}/matches", json=TWO_SEATS, headers=headers)
    await client.post(f"{GAMES[0]}:newGame", json=TWO_SEATS, headers=headers)
    await client.get(f"{GAMES[0]}/matches/m1", headers=headers)
    assert [said.get("x-api-key") for said in engine.metadata] == [KEY, None, None]


async def test_fault06_who_calls_goes_to_the_engine_with_what_begins_a_match(
    client: httpx.AsyncClient, engine: StubEngine
) -> None:
    await client.post(f"{GAMES[0]}/matches", json=TWO_SEATS, headers={"Fireside-Caller": "key:another"})
    await client.get(f"{GAMES[0]}/matches/m1")
    assert [said.get(api_keys.CALLER_METADATA) for said in engine.metadata] == ["address:127.0.0.1", None]


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("path", [f"{GAMES[0]}/matches", f"{GAMES[0]}/matches/m1/events"])
async def test_pages_may_send_the_headers_of_the_interface(path: str, header: str, client: httpx.AsyncClient) -> None:
    asks = {**ORIGIN, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": header}
    allowed = await client.options(path, headers=asks)
    assert allowed.status_code == 200
    assert header.lower() in allowed.headers["access-control-allow-headers"].lower()


async def test_pages_of_other_origins_may_not(client: httpx.AsyncClient) -> None:
    asks = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST"}
    refused = await client.options(f"{GAMES[0]}/matches", headers=asks)
    assert refused.status_code == 400
    assert "access-control-allow-origin" not in refused.headers


@pytest.mark.parametrize(
    "asks",
    [
        {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST"},
        {**ORIGIN, "Access-Control-Request-Method": "DELETE"},
        {**ORIGIN, "Access-Control-Request-Method": "Z" * 9000},
        {**ORIGIN, "Access-Control-Request-Method": "GET", "Access-Control-Request-Private-Network": "true"},
    ],
)
async def test_fault17_a_refused_preflight_is_a_problem(asks: dict[str, str], client: httpx.AsyncClient) -> None:
    refused = await client.options(f"{GAMES[0]}/matches", headers=asks)
    assert (refused.status_code, refused.json()["reason"]) == (400, "INVALID_REQUEST")
    assert refused.headers["content-type"] == "application/problem+json"
    assert "disallowed" not in refused.text.lower()
    assert "Origin" in refused.headers["vary"]


@pytest.mark.parametrize(
    ("verb", "path", "body", "status"),
    [
        ("GET", "/nowhere", b"", 404),
        ("DELETE", f"{GAMES[0]}/matches", b"", 405),
        ("POST", f"{GAMES[0]}/matches", b"[", 400),
        ("POST", f"{GAMES[0]}/matches", b"x" * (1 << 21), 413),
    ],
)
async def test_pages_can_read_errors(verb: str, path: str, body: bytes, status: int, client: httpx.AsyncClient) -> None:
    refused = await client.request(verb, path, content=body, headers=ORIGIN)
    assert refused.status_code == status
    assert refused.headers["access-control-allow-origin"] == ORIGIN["Origin"]


async def test_pages_can_read_a_fault_of_the_gateway(app: FastAPI, client: httpx.AsyncClient) -> None:
    app.state.engines = None
    refused = await client.get(f"{GAMES[0]}/matches/m1", headers=ORIGIN)
    assert (refused.status_code, refused.json()["reason"]) == (500, "INTERNAL")
    assert refused.headers["access-control-allow-origin"] == ORIGIN["Origin"]
