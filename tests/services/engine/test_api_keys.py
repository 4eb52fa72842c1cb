"""API keys at the engine: required to create matches of every game."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, cast

import grpc
import pytest
from fireside.match.v1.match_pb2 import SeatSpec

from runtime import api_keys
from services.engine.codecs import CODECS, AnyCodec
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from tests.services.client import Refusal
from tests.services.engine.platforms.platform_client import list_matches, reading_events
from tests.services.engine.tables.test_calls import OPEN
from tests.services.registry import GameClient, field

API_KEY = api_keys.new_key()
KNOWN_KEYS = api_keys.parse(f"{api_keys.key_entry('other', api_keys.new_key())},{api_keys.key_entry('ours', API_KEY)}")
MISSING_KEY_TEXT, UNKNOWN_KEY_TEXT = "beginning a match requires an API key", "unknown API key"


@asynccontextmanager
async def engine_client(codec: AnyCodec, store_url: str, keys: str) -> AsyncIterator[GameClient]:
    """A client of an engine with this setting of API keys; without a key of its own."""
    settings = EngineSettings(port=0, redis_url=store_url, api_keys=api_keys.parse(keys), grace_seconds=1)
    engine = Engine(settings)
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield GameClient(channel, codec)
    await engine.stop()


@pytest.fixture(params=list(CODECS.values()), ids=list(CODECS))
async def game_client(request: pytest.FixtureRequest) -> AsyncIterator[GameClient]:
    engine = Engine(EngineSettings(port=0, api_keys=KNOWN_KEYS, grace_seconds=1))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield GameClient(channel, request.param)
    await engine.stop()


async def test_a_known_key_creates_a_match(game_client: GameClient) -> None:
    game_client.metadata = [("x-api-key", API_KEY)]
    assert (await game_client.begin()).match_id


@pytest.mark.parametrize(
    ("key", "detail"),
    [("", MISSING_KEY_TEXT), ("another", UNKNOWN_KEY_TEXT), ("k" * 5000, UNKNOWN_KEY_TEXT)],
    ids=["none", "another", "long"],
)
async def test_without_a_known_key_no_match_is_created(game_client: GameClient, key: str, detail: str) -> None:
    game_client.metadata = [("x-api-key", key)] if key else []
    with pytest.raises(Refusal) as refused:
        await game_client.begin()
    assert (refused.value.code, refused.value.message) == (grpc.StatusCode.UNAUTHENTICATED, detail)
    assert (refused.value.reason, refused.value.metadata) == ("UNAUTHENTICATED", {"credential": "apiKey"})


async def test_a_seat_token_is_not_an_api_key(game_client: GameClient) -> None:
    game_client.metadata = [("x-api-key", API_KEY)]
    driver = await game_client.begin()
    for metadata in ([("x-api-key", driver.tokens[0])], [("authorization", f"Bearer {API_KEY}")]):
        game_client.metadata = metadata
        with pytest.raises(Refusal, match="UNAUTHENTICATED"):
            await game_client.begin()


async def test_inline_matches_and_calls_on_a_match_need_no_api_key(game_client: GameClient) -> None:
    seats = [SeatSpec(name="a")] * game_client.codec.game.min_seats
    assert field(await game_client.call("NewGame", seats=seats, ephemeral=True), "state")
    game_client.metadata = [("x-api-key", API_KEY)]
    driver = await game_client.begin()
    game_client.metadata = []
    assert field(await driver.call("GetMatch", driver.tokens[0]), "match", "match_id") == driver.match_id
    assert field(await driver.call("Leave", driver.tokens[0]), "revision")


async def test_a_bad_key_is_reported_before_any_other_error(game_client: GameClient) -> None:
    with pytest.raises(Refusal, match="UNAUTHENTICATED"):
        await game_client.call("NewGame", seats=[], client_seed="x" * 1000)


async def test_api_keys_are_in_no_log(game_client: GameClient, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    key = api_keys.new_key()
    for game_client.metadata in ([("x-api-key", API_KEY)], [("x-api-key", key)]):
        with suppress(Refusal):
            await game_client.begin()
    log_text = repr([(record.getMessage(), record.__dict__) for record in caplog.records])
    assert "NewGame" in log_text
    assert API_KEY[:6] not in log_text
    assert key[:6] not in log_text


def test_settings_do_not_show_api_keys() -> None:
    settings = EngineSettings(api_keys=KNOWN_KEYS)
    assert "ours" not in repr(settings)


async def test_a_platform_stays_the_same_while_its_key_is_replaced(redis_url: str) -> None:
    """Matches, lists, events, idempotency and the rights of the host belong to the name; tokens to their seats."""
    codec = next(iter(CODECS.values()))
    old, new = api_keys.new_key(), api_keys.new_key()
    old_entry, new_entry = api_keys.key_entry("ours", old), api_keys.key_entry("ours", new)
    fields: dict[str, Any] = {"seats": [SeatSpec(name="Ada", player_id="ada"), OPEN], "request_id": "r"}
    async with engine_client(codec, redis_url, old_entry) as client:
        client.metadata = [("x-api-key", old)]
        begun = await client.call("NewGame", **fields)
        match_id, seats = field(begun, "match_id"), cast(Any, begun).seats
    async with (
        engine_client(codec, redis_url, f"{old_entry},{new_entry}") as client,
        reading_events(client.channel, old) as before,
        reading_events(client.channel, new) as after,
    ):
        for key in (old, new):
            client.metadata = [("x-api-key", key)]
            assert field(await client.call("NewGame", **fields), "match_id") == match_id
            listed = (await list_matches(client.channel, key, player_id="ada")).matches
            assert match_id in [each.match.match_id for each in listed]
        code = cast(Any, begun).join_codes[0].code
        await client.call("Join", match_id=match_id, code=code, name="Bo", player_id="bo")
        event = await before.next()
        assert (event.match_id, event.seat.player.player_id) == (match_id, "bo")
        assert await after.next() == event
        start = before.start
        other = await client.call("NewGame", seats=[SeatSpec(name="Ada"), OPEN])
        client.metadata = [("x-api-key", old)]
        await client.call("Withdraw", match_id=field(other, "match_id"))
    async with engine_client(codec, redis_url, new_entry) as client:
        assert field(await client.call("GetMatch", seats[0].token, match_id=match_id), "match", "seat") == seats[0].seat
        async with reading_events(client.channel, new, start) as continued:
            assert await continued.next() == event
        with pytest.raises(Refusal, match="unknown API key"):
            await list_matches(client.channel, old)
