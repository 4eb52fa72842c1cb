"""Match clocks: the end of a match by time is logged once, at its deadline (FS-103)."""

from __future__ import annotations

import asyncio
import time
from random import Random

import grpc
import pytest
from fireside.match.v1.match_pb2 import Clock

from engine_core.games import GAMES as RULES
from engine_core.match import AnyMatch
from services.engine.codec import read_log_line
from services.engine.codecs import CODECS, AnyCodec
from services.engine.records.reading import read
from services.engine.records.verification import verify
from tests.services.client import Client, Refusal
from tests.services.engine.clocks.test_poller import DAY_SECONDS, Engines, engines, play_default
from tests.services.processes import EngineProcess
from tests.services.registry import GameClient, MatchDriver, field

__all__ = ["engines"]

MATCH_SECONDS = 600


def ends_by_time(codec: AnyCodec) -> bool:
    game = codec.game
    options = next(iter(game.presets().values()))
    return game.time_up_move(game.start(game.min_seats, options)) is not None


TIMED_CODECS = [codec for codec in CODECS.values() if ends_by_time(codec)]
UNTIMED_CODECS = [codec for codec in CODECS.values() if not ends_by_time(codec)]
EVERY_TIMED_GAME = pytest.mark.parametrize("codec", TIMED_CODECS, ids=[codec.game.name for codec in TIMED_CODECS])


def test_some_games_end_by_time() -> None:
    assert TIMED_CODECS
    assert len(TIMED_CODECS) + len(UNTIMED_CODECS) == len(RULES)


async def time_ups(engines: Engines, codec: AnyCodec, match_id: str) -> list[int]:
    """The revisions at which the log says that the time is up."""
    _, lines = await engines.matches(codec).peek_log(match_id, 0)
    events = [codec.messages.event.FromString(read_log_line(line).event) for line in lines]
    return [int(str(field(event, "revision"))) for event in events if field(event, "notation") == "time_up"]


@EVERY_TIMED_GAME
async def test_fs103_the_end_by_time_is_logged_once(engines: Engines, codec: AnyCodec) -> None:
    match_id = await engines.begin(codec, Clock(match_seconds=MATCH_SECONDS))
    before = await engines.match(codec, match_id)
    engines.set_time(MATCH_SECONDS * 1000 - 1)
    await engines.look()
    assert await time_ups(engines, codec, match_id) == []
    engines.set_time(MATCH_SECONDS * 1000)
    await engines.look()
    engines.set_time(DAY_SECONDS * 1000)
    await engines.look()
    assert await time_ups(engines, codec, match_id) == [before.revision + 1]
    stored, _ = await engines.matches(codec).checkout(match_id)
    assert (stored.facts.match_deadline_ms, stored.facts.deadline_ms) == (0, 0)
    assert await engines.hints(codec) == {}


@EVERY_TIMED_GAME
async def test_the_match_clock_does_not_extend_or_shorten_the_move_clock(engines: Engines, codec: AnyCodec) -> None:
    match_id = await engines.begin(codec, Clock(match_seconds=MATCH_SECONDS, move_seconds=MATCH_SECONDS + 60))
    before = await engines.match(codec, match_id)
    engines.set_time(MATCH_SECONDS * 1000)
    await engines.look()
    after = await engines.match(codec, match_id)
    assert (after.to_move(), after.phase_start) == (before.to_move(), before.phase_start)
    assert await engines.hints(codec) == {match_id: (MATCH_SECONDS + 60) * 1000}
    after.check_revision(after.to_move()[0], before.revision)


@EVERY_TIMED_GAME
async def test_both_clocks_may_expire_while_no_engine_runs(engines: Engines, codec: AnyCodec) -> None:
    match_id = await engines.begin(codec, Clock(match_seconds=MATCH_SECONDS, move_seconds=30))
    before = await engines.match(codec, match_id)
    engines.set_time(DAY_SECONDS * 1000)
    await engines.look()
    assert await time_ups(engines, codec, match_id) == [before.revision + 1]
    assert (await engines.match(codec, match_id)).last_moved[before.to_move()[0]] > before.revision + 1


@EVERY_TIMED_GAME
async def test_fs103_the_match_ends_with_the_current_round(engines: Engines, codec: AnyCodec) -> None:
    match_id = await engines.begin(codec, Clock(match_seconds=MATCH_SECONDS))
    engines.set_time(MATCH_SECONDS * 1000)
    await engines.look()
    match: AnyMatch = await engines.match(codec, match_id)
    for _ in range(500):
        if match.is_over():
            break
        await play_default(engines.matches(codec), match_id)
        match = await engines.match(codec, match_id)
    assert match.game.score(match.state).reason == "time_limit"


async def test_other_games_refuse_a_match_clock(client: Client) -> None:
    for codec in UNTIMED_CODECS:
        with pytest.raises(Refusal) as caught:
            await GameClient(client.channel, codec).begin(clock=Clock(match_seconds=MATCH_SECONDS))
        assert (caught.value.code, caught.value.fields) == (
            grpc.StatusCode.INVALID_ARGUMENT,
            ["clock.matchSeconds"],
        )


@EVERY_TIMED_GAME
@pytest.mark.parametrize("seconds", [-1, 30 * DAY_SECONDS + 1])
async def test_the_length_of_the_match_clock_is_limited(client: Client, codec: AnyCodec, seconds: int) -> None:
    with pytest.raises(Refusal) as caught:
        await GameClient(client.channel, codec).begin(clock=Clock(match_seconds=seconds))
    assert caught.value.fields == ["clock.matchSeconds"]


@EVERY_TIMED_GAME
async def test_the_end_of_the_match_clock_is_in_every_response(client: Client, codec: AnyCodec) -> None:
    driver = await GameClient(client.channel, codec).begin(clock=Clock(match_seconds=MATCH_SECONDS))
    received = field(driver.match, "match_deadline", "seconds")
    assert isinstance(received, int)
    assert abs(received - time.time() - MATCH_SECONDS) < 30
    assert not driver.match.HasField("deadline")


@EVERY_TIMED_GAME
async def test_killed_engines_log_the_end_by_time_once_and_the_record_verifies_it(
    redis_url: str, codec: AnyCodec
) -> None:
    with EngineProcess(redis_url) as first, EngineProcess(redis_url) as second:
        async with grpc.aio.insecure_channel(second.ready().address) as channel:
            first.ready()
            game_client = GameClient(channel, codec)
            drivers = [await game_client.begin(clock=Clock(match_seconds=3)) for _ in range(6)]
            await asyncio.sleep(2.5)
            first.kill()
            await _until_up(drivers, time.monotonic() + 60)
            for driver in drivers:
                await driver.play(Random(3))
                record = await driver.record()
                assert record.count('"notation": "time_up"') == 1
                proved = verify(*read(record))
                assert proved.draws > 0


async def _until_up(drivers: list[MatchDriver], deadline: float) -> None:
    for driver in drivers:
        while (await driver.call("GetMatch")).match.HasField("match_deadline"):  # type: ignore[attr-defined]
            assert time.monotonic() < deadline
            await asyncio.sleep(0.2)
