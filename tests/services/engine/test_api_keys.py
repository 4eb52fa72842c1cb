"""API keys at the engine: required to create matches of every game."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import suppress

import grpc
import pytest
from fireside.match.v1.match_pb2 import SeatSpec

from runtime import api_keys
from services.engine.codecs import CODECS
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from tests.services.client import Refusal
from tests.services.registry import GameClient, field

API_KEY = api_keys.new_key()
KNOWN_KEYS = api_keys.parse(f"{api_keys.key_entry('other', api_keys.new_key())},{api_keys.key_entry('ours', API_KEY)}")
MISSING_KEY_TEXT, UNKNOWN_KEY_TEXT = "beginning a match requires an API key", "unknown API key"


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
