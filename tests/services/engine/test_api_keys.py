"""Who may begin matches when API keys are asked for, for every game."""

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
from tests.services.registry import Desk, field

KEY = api_keys.fresh()
KNOWN = api_keys.parse(f"{api_keys.entry('other', api_keys.fresh())},{api_keys.entry('ours', KEY)}")
NONE, UNKNOWN = "to begin a match needs an API key", "the API key is not known"


@pytest.fixture(params=list(CODECS.values()), ids=list(CODECS))
async def desk(request: pytest.FixtureRequest) -> AsyncIterator[Desk]:
    engine = Engine(EngineSettings(port=0, api_keys=KNOWN, grace_seconds=1))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield Desk(channel, request.param)
    await engine.stop()


async def test_a_known_key_begins_a_match(desk: Desk) -> None:
    desk.metadata = [("x-api-key", KEY)]
    assert (await desk.begin()).match_id


@pytest.mark.parametrize(
    ("key", "detail"), [("", NONE), ("another", UNKNOWN), ("k" * 5000, UNKNOWN)], ids=["none", "another", "long"]
)
async def test_without_a_known_key_no_match_begins(desk: Desk, key: str, detail: str) -> None:
    desk.metadata = [("x-api-key", key)] if key else []
    with pytest.raises(Refusal) as refused:
        await desk.begin()
    assert (refused.value.code, refused.value.message) == (grpc.StatusCode.UNAUTHENTICATED, detail)
    assert (refused.value.reason, refused.value.metadata) == ("UNAUTHENTICATED", {"credential": "apiKey"})


async def test_a_seat_token_is_no_api_key(desk: Desk) -> None:
    desk.metadata = [("x-api-key", KEY)]
    sitting = await desk.begin()
    for metadata in ([("x-api-key", sitting.tokens[0])], [("authorization", f"Bearer {KEY}")]):
        desk.metadata = metadata
        with pytest.raises(Refusal, match="UNAUTHENTICATED"):
            await desk.begin()


async def test_inline_matches_and_everything_in_a_match_need_none(desk: Desk) -> None:
    seats = [SeatSpec(name="a")] * desk.codec.game.min_seats
    assert field(await desk.call("NewGame", seats=seats, ephemeral=True), "state")
    desk.metadata = [("x-api-key", KEY)]
    sitting = await desk.begin()
    desk.metadata = []
    assert field(await sitting.call("GetMatch", sitting.tokens[0]), "match", "match_id") == sitting.match_id
    assert field(await sitting.call("Leave", sitting.tokens[0]), "revision")


async def test_a_bad_key_is_told_before_anything_else_is_looked_at(desk: Desk) -> None:
    with pytest.raises(Refusal, match="UNAUTHENTICATED"):
        await desk.call("NewGame", seats=[], client_seed="x" * 1000)


async def test_nothing_of_a_key_is_in_any_log(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    key = api_keys.fresh()
    for desk.metadata in ([("x-api-key", KEY)], [("x-api-key", key)]):
        with suppress(Refusal):
            await desk.begin()
    told = repr([(record.getMessage(), record.__dict__) for record in caplog.records])
    assert "NewGame" in told
    assert KEY[:6] not in told
    assert key[:6] not in told


def test_settings_show_nothing_of_the_keys() -> None:
    settings = EngineSettings(api_keys=KNOWN)
    assert "ours" not in repr(settings)
