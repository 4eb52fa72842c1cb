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
KNOWN_KEYS = api_keys.parse(api_keys.key_entry("ours", KEY))
GAME_PATHS = [f"/v1/{game.replace('_', '-')}" for game in registry.GAMES]
TWO_SEATS = {"seats": [{"name": "Ada"}, {"name": "Ben"}]}
ORIGIN_HEADER = {"Origin": "https://play.example"}
CORS_HEADERS = [
    "Authorization",
    "X-Api-Key",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
    "X-Request-Id",
]

EVERY_GAME = pytest.mark.parametrize("path", GAME_PATHS)


@pytest.fixture
async def rest() -> AsyncIterator[httpx.AsyncClient]:
    """A gateway before an engine that asks for keys."""
    settings = EngineSettings(port=0, grace_seconds=1, api_keys=KNOWN_KEYS, token_keys={"a": b"k" * 32})
    async with client_of(settings, (ORIGIN_HEADER["Origin"],), ORIGIN_HEADER) as client:
        yield client


@EVERY_GAME
async def test_creating_a_match_needs_an_api_key(path: str, rest: httpx.AsyncClient) -> None:
    new_game = await rest.post(f"{path}/matches", json=TWO_SEATS, headers={"X-Api-Key": KEY})
    assert new_game.status_code == 201
    for headers in ({}, {"X-Api-Key": api_keys.new_key()}, {"Authorization": f"Bearer {KEY}"}):
        refused = await rest.post(f"{path}/matches", json=TWO_SEATS, headers=headers)
        assert (refused.status_code, refused.json()["reason"]) == (401, "UNAUTHENTICATED")
        assert refused.json()["metadata"] == {"credential": "apiKey"}
        assert refused.headers["www-authenticate"] == 'ApiKey realm="fireside"'
        assert refused.headers["access-control-allow-origin"] == ORIGIN_HEADER["Origin"]


@EVERY_GAME
async def test_inline_matches_need_no_api_key(path: str, rest: httpx.AsyncClient) -> None:
    assert (await rest.post(f"{path}:newGame", json=TWO_SEATS)).status_code == 200


@EVERY_GAME
async def test_a_bad_seat_token_is_challenged_for_a_bearer_token(path: str, rest: httpx.AsyncClient) -> None:
    match_id = (await rest.post(f"{path}/matches", json=TWO_SEATS, headers={"X-Api-Key": KEY})).json()["matchId"]
    refused = await rest.get(f"{path}/matches/{match_id}", headers={"Authorization": "Bearer x"})
    assert (refused.status_code, refused.json()["metadata"]) == (401, {"credential": "seatToken"})
    assert refused.headers["www-authenticate"] == 'Bearer realm="fireside"'


@pytest.mark.parametrize("key", ["", "k" * 257, "é", "a\tb"])
async def test_a_malformed_api_key_is_not_forwarded(key: str, client: httpx.AsyncClient, engine: StubEngine) -> None:
    refused = await client.post(f"{GAME_PATHS[0]}/matches", json=TWO_SEATS, headers={b"X-Api-Key": key.encode()})
    assert (refused.status_code, refused.json()["metadata"]) == (401, {"credential": "apiKey"})
    assert engine.requests == []


async def test_an_api_key_is_forwarded_only_with_calls_that_need_one(
    client: httpx.AsyncClient, engine: StubEngine
) -> None:
    headers = {"X-Api-Key": KEY}
    await client.post(f"{GAME_PATHS[0]}/matches", json=TWO_SEATS, headers=headers)
    await client.post(f"{GAME_PATHS[0]}:newGame", json=TWO_SEATS, headers=headers)
    await client.get(f"{GAME_PATHS[0]}/matches/m1", headers=headers)
    assert [metadata.get("x-api-key") for metadata in engine.metadata] == [KEY, None, None]


async def test_fault06_the_caller_is_forwarded_with_calls_that_create_matches(
    client: httpx.AsyncClient, engine: StubEngine
) -> None:
    await client.post(f"{GAME_PATHS[0]}/matches", json=TWO_SEATS, headers={"Fireside-Caller": "key:another"})
    await client.get(f"{GAME_PATHS[0]}/matches/m1")
    assert [metadata.get(api_keys.CALLER_METADATA) for metadata in engine.metadata] == ["address:127.0.0.1", None]


@pytest.mark.parametrize("header", CORS_HEADERS)
@pytest.mark.parametrize("path", [f"{GAME_PATHS[0]}/matches", f"{GAME_PATHS[0]}/matches/m1/events"])
async def test_cors_allows_the_headers_of_the_api(path: str, header: str, client: httpx.AsyncClient) -> None:
    asks = {**ORIGIN_HEADER, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": header}
    allowed = await client.options(path, headers=asks)
    assert allowed.status_code == 200
    assert header.lower() in allowed.headers["access-control-allow-headers"].lower()


async def test_cors_refuses_other_origins(client: httpx.AsyncClient) -> None:
    asks = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST"}
    refused = await client.options(f"{GAME_PATHS[0]}/matches", headers=asks)
    assert refused.status_code == 400
    assert "access-control-allow-origin" not in refused.headers


@pytest.mark.parametrize(
    "asks",
    [
        {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST"},
        {**ORIGIN_HEADER, "Access-Control-Request-Method": "DELETE"},
        {**ORIGIN_HEADER, "Access-Control-Request-Method": "Z" * 9000},
        {**ORIGIN_HEADER, "Access-Control-Request-Method": "GET", "Access-Control-Request-Private-Network": "true"},
    ],
)
async def test_fault17_a_refused_preflight_is_a_problem(asks: dict[str, str], client: httpx.AsyncClient) -> None:
    refused = await client.options(f"{GAME_PATHS[0]}/matches", headers=asks)
    assert (refused.status_code, refused.json()["reason"]) == (400, "INVALID_REQUEST")
    assert refused.headers["content-type"] == "application/problem+json"
    assert "disallowed" not in refused.text.lower()
    assert "Origin" in refused.headers["vary"]


@pytest.mark.parametrize(
    ("verb", "path", "body", "status"),
    [
        ("GET", "/nowhere", b"", 404),
        ("DELETE", f"{GAME_PATHS[0]}/matches", b"", 405),
        ("POST", f"{GAME_PATHS[0]}/matches", b"[", 400),
        ("POST", f"{GAME_PATHS[0]}/matches", b"x" * (1 << 21), 413),
    ],
)
async def test_cors_exposes_errors_to_pages(
    verb: str, path: str, body: bytes, status: int, client: httpx.AsyncClient
) -> None:
    refused = await client.request(verb, path, content=body, headers=ORIGIN_HEADER)
    assert refused.status_code == status
    assert refused.headers["access-control-allow-origin"] == ORIGIN_HEADER["Origin"]


async def test_cors_exposes_internal_errors_to_pages(app: FastAPI, client: httpx.AsyncClient) -> None:
    app.state.engines = None
    refused = await client.get(f"{GAME_PATHS[0]}/matches/m1", headers=ORIGIN_HEADER)
    assert (refused.status_code, refused.json()["reason"]) == (500, "INTERNAL")
    assert refused.headers["access-control-allow-origin"] == ORIGIN_HEADER["Origin"]
