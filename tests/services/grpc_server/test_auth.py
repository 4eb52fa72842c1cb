"""Seat tokens: claims, and refused tokens."""

from __future__ import annotations

import asyncio
import json
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode

import jwt
import pytest

from services.grpc_server.auth import Claim, SeatTokens, bearer
from services.grpc_server.errors import Unauthenticated
from services.store.matches.store import Store
from services.store.open import open_store

OLD_KEY, NEW_KEY = b"o" * 32, b"n" * 32
CLAIM = Claim("match", 1)


@pytest.fixture
def store() -> Store:
    return open_store("", 60)


async def sign_claim(tokens: SeatTokens, claim: Claim = CLAIM) -> str:
    (token,) = await tokens.sign([claim])
    return token


async def test_a_token_proves_its_match_and_seat(store: Store) -> None:
    tokens = SeatTokens({"a": OLD_KEY}, store)
    assert await tokens.read(await sign_claim(tokens)) == CLAIM


async def test_the_header_of_a_token_names_the_first_key(store: Store) -> None:
    token = await sign_claim(SeatTokens({"new": NEW_KEY, "old": OLD_KEY}, store))
    assert jwt.get_unverified_header(token)["kid"] == "new"


async def test_keys_are_rotated(store: Store) -> None:
    token = await sign_claim(SeatTokens({"old": OLD_KEY}, store))
    assert await SeatTokens({"new": NEW_KEY, "old": OLD_KEY}, store).read(token) == CLAIM
    with pytest.raises(Unauthenticated):
        await SeatTokens({"new": NEW_KEY}, store).read(token)


async def test_servers_on_one_store_accept_each_others_tokens(store: Store) -> None:
    token = await sign_claim(SeatTokens({}, store))
    assert await SeatTokens({}, store).read(token) == CLAIM


async def test_a_token_of_another_store_is_refused(store: Store) -> None:
    token = await sign_claim(SeatTokens({}, open_store("", 60)))
    with pytest.raises(Unauthenticated):
        await SeatTokens({}, store).read(token)


def _replace_payload(token: str, payload: dict[str, object]) -> str:
    head, _, signature = token.split(".")
    body = urlsafe_b64encode(json.dumps(payload).encode()).decode().rstrip("=")
    return f"{head}.{body}.{signature}"


async def test_a_changed_token_is_refused(store: Store) -> None:
    tokens = SeatTokens({"a": OLD_KEY}, store)
    token = _replace_payload(await sign_claim(tokens), {"match": "match", "seat": 0})
    with pytest.raises(Unauthenticated):
        await tokens.read(token)


async def test_an_unsigned_token_is_refused(store: Store) -> None:
    payload = {"match": "match", "seat": 1, "exp": int(time.time()) + 60}
    token = jwt.encode(payload, "", algorithm="none", headers={"kid": "a"})
    with pytest.raises(Unauthenticated):
        await SeatTokens({"a": OLD_KEY}, store).read(token)


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"match": "match"},
        {"match": 1, "seat": 1},
        {"match": "match", "seat": "1"},
        {"seat": True},
        {"match": "match", "seat": 1, "exp": "9999999999"},
        {"match": "match", "seat": 1, "exp": 9999999999.5},
    ],
)
async def test_a_token_with_other_claims_is_refused(store: Store, payload: dict[str, object]) -> None:
    until = {"exp": int(time.time()) + 60}
    token = jwt.encode({**until, **payload}, OLD_KEY, algorithm="HS256", headers={"kid": "a"})
    with pytest.raises(Unauthenticated):
        await SeatTokens({"a": OLD_KEY}, store).read(token)


@pytest.mark.parametrize("token", ["", "x", "a.b.c", "é.é.é", "." * 5000])
async def test_a_malformed_token_is_refused(store: Store, token: str) -> None:
    with pytest.raises(Unauthenticated):
        await SeatTokens({"a": OLD_KEY}, store).read(token)


async def test_a_key_id_that_is_not_a_string_is_refused(store: Store) -> None:
    token = await sign_claim(SeatTokens({"a": OLD_KEY}, store))
    head = json.loads(urlsafe_b64decode(token.split(".")[0] + "=="))
    changed = urlsafe_b64encode(json.dumps(head | {"kid": ["a"]}).encode()).decode().rstrip("=")
    with pytest.raises(Unauthenticated):
        await SeatTokens({"a": OLD_KEY}, store).read(f"{changed}.{token.split('.', 1)[1]}")


def test_a_token_is_read_from_the_bearer_header() -> None:
    assert bearer("") == ""
    assert bearer("Bearer abc") == bearer("bearer abc ") == "abc"


@pytest.mark.parametrize("value", ["abc", "Basic abc", "Bearer", "Bearer "])
def test_another_authorization_scheme_is_refused(value: str) -> None:
    with pytest.raises(Unauthenticated):
        bearer(value)


async def test_a_cached_token_still_expires(store: Store) -> None:
    tokens = SeatTokens({"a": OLD_KEY}, store, 3)
    token = await sign_claim(tokens)
    assert await tokens.read(token) == CLAIM
    await asyncio.sleep(3.1)
    for _ in range(2):
        with pytest.raises(Unauthenticated, match="the seat token has expired"):
            await tokens.read(token)


async def test_a_token_is_valid_until_its_last_second(store: Store) -> None:
    started = int(time.time())
    token = await sign_claim(SeatTokens({"a": OLD_KEY}, store, 1000))
    assert 1000 <= jwt.decode(token, OLD_KEY, algorithms=["HS256"])["exp"] - started <= 1010
