"""Stored matches whose rules version the engine does not have."""

from __future__ import annotations

from collections.abc import AsyncIterator

import grpc
import pytest
from fireside.match.v1.match_record_pb2 import MatchHeader
from google.rpc.error_details_pb2 import RetryInfo

from services.engine.codecs import CODECS, AnyCodec
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from services.grpc_server.errors import UnknownRules
from services.grpc_server.status import rich_status
from services.store.matches.store import Store
from services.store.open import open_store
from tests.services.client import Refusal
from tests.services.registry import GameClient

EVERY_GAME = pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))
DAY_SECONDS = 86400


@pytest.fixture
async def store(redis_url: str) -> AsyncIterator[Store]:
    store = open_store(redis_url, DAY_SECONDS)
    yield store
    await store.close()


@pytest.fixture
async def channel(redis_url: str) -> AsyncIterator[grpc.aio.Channel]:
    engine = Engine(EngineSettings(port=0, redis_url=redis_url, grace_seconds=1))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield channel
    await engine.stop()


async def _copy_with_rules(store: Store, match_id: str, game: str, rules_version: str) -> str:
    """The match once more, as if begun by other rules."""
    snapshot = await store.load(match_id, "")
    header = MatchHeader.FromString(snapshot.header)
    header.game, header.rules_version = game, rules_version
    copy = match_id[::-1]
    assert await store.create(copy, header.SerializeToString(), snapshot.state, snapshot.match_progress, [], 0)
    return copy


async def _code_and_reason(game_client: GameClient, match_id: str) -> tuple[grpc.StatusCode, str]:
    with pytest.raises(Refusal) as caught:
        await game_client.call("GetMatch", match_id=match_id)
    return caught.value.code, caught.value.reason


@EVERY_GAME
async def test_a_match_of_newer_rules_is_a_retryable_error(
    codec: AnyCodec, store: Store, channel: grpc.aio.Channel
) -> None:
    game_client = GameClient(channel, codec)
    driver = await game_client.begin()
    newer = await _copy_with_rules(store, driver.match_id, codec.game.name, f"{codec.game.name}@999")
    assert await _code_and_reason(game_client, newer) == (grpc.StatusCode.UNAVAILABLE, "UNKNOWN_RULES")


@EVERY_GAME
async def test_a_match_of_another_game_is_unknown(codec: AnyCodec, store: Store, channel: grpc.aio.Channel) -> None:
    game_client = GameClient(channel, codec)
    driver = await game_client.begin()
    other = await _copy_with_rules(store, driver.match_id, "another", "another@1")
    assert await _code_and_reason(game_client, other) == (grpc.StatusCode.NOT_FOUND, "UNKNOWN_MATCH")


def test_unknown_rules_have_a_retry_delay() -> None:
    found = RetryInfo()
    assert rich_status(UnknownRules("m", "game@2"))[1].details[1].Unpack(found)
    assert found.retry_delay.seconds > 0
