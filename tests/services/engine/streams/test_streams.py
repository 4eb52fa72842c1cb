"""Watch and Play streams, on both kinds of store, across restarts of engines and store."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import grpc
import pytest
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from fireside.match.v1.match_record_pb2 import MatchHeader
from redis.asyncio import Redis

from services.engine.main import Engine
from services.engine.settings import EngineSettings
from services.store.keys import match_keys
from tests.redis_clients import channels_of, redis_at
from tests.redis_server import free_port, redis_server
from tests.services.client import Client, FireBullsDriver, Refusal, new_driver, refusal
from tests.services.processes import EngineProcess
from tests.services.streams import PlayClient, WatchCall, events, revisions, watch


async def test_a_watcher_gets_the_log_and_each_new_event_once_until_the_end(
    driver: FireBullsDriver,
) -> None:
    await driver.play_at_random(Random(1), 20)
    calls = [watch(driver.client.channel, driver.match_id, after) for after in (0, 10, driver.match.revision)]
    watched_revisions = [asyncio.ensure_future(revisions(call)) for call in calls]
    await driver.play_at_random(Random(2))
    last = driver.match.revision
    lists = await asyncio.wait_for(asyncio.gather(*watched_revisions), 30)
    assert lists[0] == [*range(1, last + 1)]
    assert lists[1] == [*range(11, last + 1)]
    assert lists[2] == [*range(lists[2][0], last + 1)]
    assert await revisions(watch(driver.client.channel, driver.match_id, last)) == []


async def test_watchers_of_two_seats_get_only_their_own_events(driver: FireBullsDriver) -> None:
    await driver.play_at_random(Random(3))
    seen = []
    for token in ["", *driver.tokens]:
        seen_events = [event async for event in events(watch(driver.client.channel, driver.match_id, 0, token))]
        assert seen_events == list((await driver.client.history(driver.match_id, token)).events)
        seen.append(seen_events)
    assert seen[0] != seen[1] != seen[2]


@pytest.mark.parametrize(
    ("match_id", "after", "code"),
    [
        ("nothing", 0, grpc.StatusCode.NOT_FOUND),
        ("", -1, grpc.StatusCode.INVALID_ARGUMENT),
        ("", 10_000, grpc.StatusCode.ABORTED),
    ],
)
async def test_an_invalid_watch_request_is_refused(
    match_id: str, after: int, code: grpc.StatusCode, driver: FireBullsDriver
) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await revisions(watch(driver.client.channel, match_id or driver.match_id, after))
    assert caught.value.code() is code
    assert refusal(caught.value).reason


async def test_a_private_match_is_watched_only_with_a_token(redis_url: str) -> None:
    async with engine_on(redis_url) as (_, client), redis_at(redis_url) as redis:
        driver = await new_driver(client)
        key = match_keys(driver.match_id)[0]
        stored_header = await redis.hget(key, "header")
        assert isinstance(stored_header, bytes)
        header = MatchHeader.FromString(stored_header)
        header.private = True
        await redis.hset(key, "header", header.SerializeToString())
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await watch(client.channel, driver.match_id).read()
        assert caught.value.code() is grpc.StatusCode.NOT_FOUND
        call = watch(client.channel, driver.match_id, 0, driver.tokens[0])
        assert (await anext(events(call))).revision == 1
        call.cancel()


async def test_two_players_play_a_match_to_its_end_over_streams(driver: FireBullsDriver) -> None:
    players = [PlayClient(driver, seat) for seat in range(2)]
    results = await asyncio.wait_for(asyncio.gather(*[player.play_to_the_end() for player in players]), 120)
    assert results[0] == results[1]
    assert results[0].over
    last = (await driver.client.match(driver.match_id)).revision
    for player in players:
        assert player.events == [*range(1, last + 1)]
        assert player.turns > 5
        assert len(player.refusals) == 1


@asynccontextmanager
async def engine_on(redis_url: str) -> AsyncIterator[tuple[Engine, Client]]:
    engine = Engine(EngineSettings(port=0, redis_url=redis_url, grace_seconds=1))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield engine, Client(channel)
        await engine.stop()


async def test_watchers_on_the_engine_that_plays_need_no_store_reads(redis_url: str) -> None:
    async with engine_on(redis_url) as (_, client), redis_at(redis_url) as redis:
        driver = await new_driver(client)
        players = [PlayClient(driver, seat) for seat in range(2)]
        before = await log_reads(redis)
        await asyncio.wait_for(asyncio.gather(*[player.play_to_the_end() for player in players]), 60)
        turns = sum(player.turns for player in players)
        assert turns > 20
        assert await log_reads(redis) - before < turns / 4


async def log_reads(redis: Redis) -> int:
    commands = await redis.info("commandstats")
    return int(commands.get("cmdstat_xrange", {}).get("calls", 0))


async def test_an_engine_that_stops_ends_its_streams_as_unavailable(redis_url: str) -> None:
    async with engine_on(redis_url) as (engine, client):
        driver = await new_driver(client)
        call = watch(client.channel, driver.match_id, driver.match.revision)
        await call.initial_metadata()
        began = time.monotonic()
        await engine.stop()
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await revisions(call)
        assert refusal(caught.value).reason == "ENGINE_UNAVAILABLE"
        assert time.monotonic() - began < 5


async def test_a_stream_is_resumed_at_another_engine_without_gaps_or_duplicates(redis_url: str) -> None:
    with EngineProcess(redis_url) as dying, EngineProcess(redis_url) as other:
        async with (
            grpc.aio.insecure_channel(dying.ready().address) as first,
            grpc.aio.insecure_channel(other.ready().address) as second,
        ):
            driver = await new_driver(Client(second), 3)
            watched_revisions: list[int] = []
            task = asyncio.ensure_future(_handle_response(watch(first, driver.match_id), watched_revisions))
            playing = asyncio.ensure_future(driver.play_at_random(Random(4), 150))
            while len(watched_revisions) < 40:
                await asyncio.sleep(0.01)
            dying.kill()
            await asyncio.gather(task, return_exceptions=True)
            await _handle_response(
                watch(second, driver.match_id, watched_revisions[-1]),
                watched_revisions,
                await _revision_when_played(playing, driver),
            )
            assert watched_revisions == [*range(1, driver.match.revision + 1)]


async def _revision_when_played(playing: asyncio.Task[None], driver: FireBullsDriver) -> int:
    await playing
    return driver.match.revision


async def _handle_response(call: WatchCall, watched_revisions: list[int], last: int = 0) -> None:
    async for event in events(call):
        watched_revisions.append(event.revision)
        if last and watched_revisions[-1] >= last:
            call.cancel()
            return


async def test_watchers_survive_a_restart_of_redis(tmp_path: Path) -> None:
    port = free_port()
    options = ("--appendonly", "yes", "--appendfsync", "always")
    with redis_server(tmp_path, *options, port=port) as url:
        engine = Engine(EngineSettings(port=0, redis_url=url, grace_seconds=1))
        await engine.start()
        channel = grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}")
        driver = await new_driver(Client(channel))
        watched_revisions: list[int] = []
        task = asyncio.ensure_future(_handle_response(watch(channel, driver.match_id), watched_revisions))
        await driver.play_at_random(Random(5), 20)
    await asyncio.sleep(1)
    with redis_server(tmp_path, *options, port=port):
        deadline = time.monotonic() + 30
        while True:
            try:
                await driver.play_at_random(Random(6))
                break
            except Refusal as told:
                if told.code is not grpc.StatusCode.UNAVAILABLE or time.monotonic() > deadline:
                    raise
                await asyncio.sleep(0.1)
                driver.match = await _match_once_available(driver, deadline)
        await asyncio.wait_for(task, 60)
        assert watched_revisions == [*range(1, driver.match.revision + 1)]
        await channel.close()
        await engine.stop()


async def _match_once_available(driver: FireBullsDriver, deadline: float) -> verbs.Match:
    while True:
        try:
            return await driver.client.match(driver.match_id)
        except Refusal:
            assert time.monotonic() < deadline
            await asyncio.sleep(0.1)


async def test_streams_of_disconnected_clients_leave_no_state(redis_url: str) -> None:
    async with engine_on(redis_url) as (engine, client), redis_at(redis_url) as redis:
        driver = await new_driver(client)
        call = watch(client.channel, driver.match_id)
        await call.read()
        call.cancel()
        await _wait_until(lambda: engine.watched == 0)
        tasks = len(asyncio.all_tasks())
        channels = await channels_of(redis, "fireside:log:*")
        for _ in range(5):
            calls = [watch(client.channel, driver.match_id) for _ in range(40)]
            for call in calls:
                await call.read()
            assert engine.watched == 1
            for call in calls:
                call.cancel()
            await _wait_until(lambda: engine.watched == 0)
        await _wait_until(lambda: len(asyncio.all_tasks()) <= tasks + 2)
        deadline = time.monotonic() + 10
        while len(await channels_of(redis, "fireside:log:*")) > len(channels):
            assert time.monotonic() < deadline
            await asyncio.sleep(0.05)


async def _wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)
