"""Streams of the events of a platform: of all its matches, resumable without a gap, and of nobody else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any, cast

import grpc
import pytest
from fireside.match.v1.match_pb2 import SeatSpec
from fireside.platform.v1.platform_pb2 import PlatformEvent
from redis.asyncio import Redis

from services.engine.codecs import AnyCodec
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from services.grpc_server.admission.callers import caller_digest
from services.store.keys import events_key
from services.store.scripts import EVENT_SECONDS, MAX_EVENTS
from tests.redis_clients import redis_at
from tests.redis_server import free_port, redis_server
from tests.services.client import Refusal
from tests.services.engine.platforms.platform_client import keyed_client, reading_events
from tests.services.engine.tables.test_calls import EVERY_GAME, KNOWN_KEYS, ONE_GAME, OPEN, OTHER_KEY, OUR_KEY
from tests.services.registry import GameClient, MatchDriver

OURS = events_key(caller_digest("ours"))


@pytest.fixture
async def client(codec: AnyCodec, store_url: str) -> AsyncIterator[GameClient]:
    async with keyed_client(codec, store_url) as client:
        yield client


async def begun(client: GameClient) -> MatchDriver:
    """A match of players for whom our platform vouches."""
    seats = [SeatSpec(name=f"N{seat}", player_id=f"p{seat}") for seat in range(client.codec.game.min_seats)]
    new = cast(Any, await client.call("NewGame", seats=seats))
    return MatchDriver(client, new.match_id, [seat.token for seat in new.seats], new.match)


@EVERY_GAME
async def test_a_stream_has_every_event_once_however_often_it_is_continued(client: GameClient) -> None:
    async with reading_events(client.channel, OUR_KEY) as reader:
        driver = await begun(client)
        playing = asyncio.create_task(driver.play(Random(1)))
        expected = await reader.until_over(driver.match_id)
        await playing
        start = reader.start
    assert [event.WhichOneof("kind") for event in expected] == ["turn"] * (len(expected) - 1) + ["over"]
    ids = [event.event_id for event in expected]
    assert len(set(ids)) == len(ids)
    position, found = start, list[PlatformEvent]()
    random = Random(2)
    while len(found) < len(expected):
        async with reading_events(client.channel, OUR_KEY, position) as reader:
            assert reader.start == position
            for _ in range(min(random.randrange(1, 20), len(expected) - len(found))):
                found.append(await reader.next())
                position = found[-1].event_id
    assert found == expected


@ONE_GAME
async def test_a_stream_without_events_is_continued_from_its_start(client: GameClient) -> None:
    async with reading_events(client.channel, OUR_KEY) as reader:
        start = reader.start
    driver = await begun(client)
    async with reading_events(client.channel, OUR_KEY, start) as reader:
        assert (await reader.next()).match_id == driver.match_id
    async with reading_events(client.channel, OUR_KEY, "0-0") as reader:
        assert (await reader.next()).match_id


@ONE_GAME
async def test_another_platform_gets_no_event(client: GameClient) -> None:
    async with reading_events(client.channel, OTHER_KEY) as theirs, reading_events(client.channel, OUR_KEY) as ours:
        driver = await begun(client)
        await driver.play(Random(3))
        await ours.until_over(driver.match_id)
        with pytest.raises(TimeoutError):
            await theirs.next(1.5)


@ONE_GAME
async def test_events_need_a_known_api_key(client: GameClient) -> None:
    for key in ("", "unknown"):
        with pytest.raises(Refusal) as refused:
            async with reading_events(client.channel, key):
                pass
        assert (refused.value.reason, refused.value.metadata) == ("UNAUTHENTICATED", {"credential": "apiKey"})


async def test_a_service_without_api_keys_has_no_platforms(engine: Engine) -> None:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        with pytest.raises(Refusal) as refused:
            async with reading_events(channel, OUR_KEY):
                pass
    assert "has no API keys" in refused.value.message


@ONE_GAME
@pytest.mark.parametrize("text", ["x", "1", "1-", "-1-1", "1-1-1", "9" * 16 + "-0", "*", "$"])
async def test_a_text_that_is_no_id_is_refused(client: GameClient, text: str) -> None:
    with pytest.raises(Refusal) as refused:
        async with reading_events(client.channel, OUR_KEY, text):
            pass
    assert (refused.value.reason, refused.value.fields) == ("INVALID_REQUEST", ["fromEventId"])


async def fill(redis_url: str, ids: range, *options: str | int) -> None:
    """Add events with the numbers as times, and trim the stream."""
    event = PlatformEvent(match_id="filled").SerializeToString()
    async with redis_at(redis_url) as redis:
        pipe = redis.pipeline(transaction=False)
        for time_ms in ids:
            pipe.execute_command("XADD", OURS, *options, f"{time_ms}-0", "event", event)
        await pipe.execute()


@ONE_GAME
@pytest.mark.parametrize("store_url", ["redis"], indirect=True)
async def test_deleted_events_are_reported(client: GameClient, store_url: str) -> None:
    await fill(store_url, range(1, MAX_EVENTS + 400), "MAXLEN", MAX_EVENTS)
    for position in ("1-0", "399-0"):
        with pytest.raises(Refusal) as refused:
            async with reading_events(client.channel, OUR_KEY, position):
                pass
        assert (refused.value.code, refused.value.reason) == (grpc.StatusCode.ABORTED, "EVENTS_DELETED")
        assert refused.value.metadata == {"fromEventId": position}
    async with reading_events(client.channel, OUR_KEY, "400-0") as reader:
        assert (await reader.next()).event_id == "401-0"


@ONE_GAME
@pytest.mark.parametrize("store_url", ["redis"], indirect=True)
async def test_an_old_id_of_a_stream_that_has_expired_is_reported(client: GameClient, store_url: str) -> None:
    async with reading_events(client.channel, OUR_KEY) as reader:
        now_ms = int(reader.start.partition("-")[0])
    async with reading_events(client.channel, OUR_KEY, f"{now_ms - 1000 * EVENT_SECONDS + 60_000}-0"):
        pass
    for time_ms in (now_ms - 1000 * EVENT_SECONDS - 60_000, now_ms + 3_600_000):
        with pytest.raises(Refusal) as refused:
            async with reading_events(client.channel, OUR_KEY, f"{time_ms}-0"):
                pass
        assert refused.value.reason == "EVENTS_DELETED"


@ONE_GAME
async def test_platforms_that_begin_later_are_waited_for_too(client: GameClient) -> None:
    async with AsyncExitStack() as stack:
        theirs = await stack.enter_async_context(reading_events(client.channel, OTHER_KEY))
        ours = await stack.enter_async_context(reading_events(client.channel, OUR_KEY))
        again = await stack.enter_async_context(reading_events(client.channel, OUR_KEY))
        driver = await begun(client)
        assert (await ours.next()) == (await again.next())
        client.metadata = [("x-api-key", OTHER_KEY)]
        other = await begun(client)
        assert (await theirs.next()).match_id == other.match_id != driver.match_id


@ONE_GAME
async def test_a_stopping_engine_ends_its_streams_as_unavailable(codec: AnyCodec, redis_url: str) -> None:
    engine = Engine(EngineSettings(port=0, redis_url=redis_url, grace_seconds=1, api_keys=KNOWN_KEYS))
    await engine.start()
    async with (
        grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel,
        reading_events(channel, OUR_KEY) as reader,
    ):
        ending = asyncio.create_task(reader.next())
        await engine.stop()
        with pytest.raises(Refusal) as refused:
            await ending
        assert refused.value.code is grpc.StatusCode.UNAVAILABLE


@ONE_GAME
async def test_a_stream_goes_on_when_the_store_comes_back(codec: AnyCodec, tmp_path: Path) -> None:
    port = free_port()
    async with AsyncExitStack() as stack:
        with redis_server(tmp_path, port=port) as url:
            client = await stack.enter_async_context(keyed_client(codec, url))
            reader = await stack.enter_async_context(reading_events(client.channel, OUR_KEY))
            before = await begun(client)
            assert (await reader.next()).match_id == before.match_id
        waiting = asyncio.create_task(reader.next(30))
        await asyncio.sleep(1)
        assert not waiting.done()
        with redis_server(tmp_path, port=port):
            after = await begun(client)
            assert (await waiting).match_id == after.match_id
            await stack.aclose()


@ONE_GAME
async def test_a_seat_that_is_joined_is_an_event(client: GameClient) -> None:
    async with reading_events(client.channel, OUR_KEY) as reader:
        new = cast(Any, await client.call("NewGame", seats=[SeatSpec(name="Ada"), OPEN]))
        code = new.join_codes[0].code
        await client.call("Join", match_id=new.match_id, code=code, name="Bo", player_id="b")
        event = await reader.next()
        assert (event.match_id, event.game, event.revision) == (new.match_id, client.codec.game.name, 0)
        assert (event.seat.player.name, event.seat.player.player_id) == ("Bo", "b")
        assert abs(event.event_time.ToMilliseconds() - int(event.event_id.partition("-")[0])) == 0


@ONE_GAME
async def test_an_empty_stream_is_waited_for_from_an_older_id_too(codec: AnyCodec, redis_url: str) -> None:
    """The events after the id have been deleted: the engine must wait, not read again and again."""
    async with (
        redis_at(redis_url) as redis,
        keyed_client(codec, redis_url) as client,
        reading_events(client.channel, OUR_KEY) as before,
    ):
        await begun(client)
        event = await before.next()
        await redis.delete(OURS)
        older = f"{int(event.event_id.partition('-')[0]) - 1}-0"
        async with reading_events(client.channel, OUR_KEY, older) as reader:
            reads = await _reads(redis)
            await asyncio.sleep(0.3)
            assert await _reads(redis) - reads < 10
            driver = await begun(client)
            assert (await reader.next()).match_id == driver.match_id


async def _reads(redis: Redis) -> int:
    """How often the server has read a range of a stream."""
    statistics = await redis.info("commandstats")
    return cast(int, statistics["cmdstat_xrange"]["calls"])
