"""Streams of every game while engines are killed, clients freeze, and readers are slow."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import grpc
import httpx
import pytest

from services.engine.codecs import CODECS, AnyCodec
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from tests.server_sent_events import EventStreamParser, log_entries
from tests.services.client import refusal
from tests.services.processes import ROOT
from tests.services.registry import GameClient, MatchDriver, field
from tests.soak.clients import GrpcClient
from tests.soak.killable_stack import ServiceStack
from tests.soak.leaks.test_leaks import ProcessUsage
from tests.soak.random_matches import AcknowledgedMoves, RandomMatches
from tests.soak.streams import (
    PlayCall,
    log_entries_of,
    matches_path,
    open_play,
    play_request,
    resetting_connection,
    revisions_of,
    watch_events,
)

EACH_CODEC = pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)
WATCHER_COUNT = 4


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ServiceStack]:
    with ServiceStack(tmp_path) as service:
        yield service


@asynccontextmanager
async def engine_with(redis_url: str, limit: int = 100) -> AsyncIterator[tuple[Engine, grpc.aio.Channel]]:
    engine = Engine(EngineSettings(port=0, redis_url=redis_url, grace_seconds=1, stream_limit=limit))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield engine, channel
    await engine.stop()


async def wait_until(condition: Callable[[], bool], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)


class ReconnectingWatcher:
    """Receives the events of a match to its end; reconnects after the last one it has received."""

    def __init__(self) -> None:
        self.received: list[int] = []
        self.disconnects = 0

    @property
    def last_revision(self) -> int:
        return self.received[-1] if self.received else 0

    async def over_grpc(self, channels: list[grpc.aio.Channel], codec: AnyCodec, match_id: str) -> None:
        while True:
            for channel in channels:
                try:
                    async for revision in revisions_of(watch_events(channel, codec, match_id, self.last_revision)):
                        self.received.append(revision)
                    return
                except grpc.aio.AioRpcError as error:
                    if error.code() is not grpc.StatusCode.UNAVAILABLE:
                        raise
                    self.disconnects += 1
                await asyncio.sleep(0.05)

    async def over_rest(self, client: httpx.AsyncClient, codec: AnyCodec, match_id: str, most: int) -> None:
        """By `Last-Event-ID`; a stream is left after so many events, as by a browser whose network changes."""
        last_id = str(self.last_revision)
        while True:
            headers = {"Last-Event-ID": last_id}
            async with client.stream("GET", f"{matches_path(codec, match_id)}/events", headers=headers) as response:
                if response.status_code == 204:
                    return
                if response.status_code == 200:
                    last_id = await self._read(response, most) or last_id
                else:
                    assert response.status_code == 503, response.status_code
                    await asyncio.sleep(0.05)

    async def _read(self, response: httpx.Response, most: int) -> str:
        """Record the log entries; the last id."""
        left, parser = most, EventStreamParser()
        async for event in log_entries(response, parser):
            self.received.append(int(event.id))
            left -= 1
            if not left:
                break
        return parser.last_id


@EACH_CODEC
async def test_watchers_miss_no_event_of_a_burst_while_engines_crash_and_stop(
    codec: AnyCodec, service: ServiceStack
) -> None:
    acknowledged = AcknowledgedMoves()
    api = GrpcClient([engine.address for engine in service.engines], Random(1))
    channels = [grpc.aio.insecure_channel(engine.address) for engine in service.engines]
    driver = RandomMatches(codec, [api], Random(2), acknowledged, 0.2)
    match = await driver.start_match()
    match_id = next(iter(acknowledged.by_match))
    followers = [ReconnectingWatcher() for _ in range(3 * WATCHER_COUNT)]
    async with httpx.AsyncClient(base_url=service.gateway.url, timeout=60) as client:
        ways = [
            *[
                each.over_grpc(channels[:: 1 - 2 * (n % 2)], codec, match_id)
                for n, each in enumerate(followers[:WATCHER_COUNT])
            ],
            *[each.over_rest(client, codec, match_id, 7) for each in followers[WATCHER_COUNT : 2 * WATCHER_COUNT]],
            *[each.over_rest(client, codec, match_id, 1_000_000) for each in followers[2 * WATCHER_COUNT :]],
        ]
        following = [asyncio.ensure_future(way) for way in ways]
        ending = asyncio.ensure_future(_end_in_turn(service))
        while not (ending.done() and match.over):
            match = await (driver.play_round(match) if not match.over else asyncio.sleep(0.05, match))
            if not ending.done():
                await asyncio.sleep(0.02)  # a burst that lasts as long as they are ended
        await ending
        await asyncio.wait_for(asyncio.gather(*following), 60)
    for each in followers:
        assert each.received == [*range(1, match.revision + 1)]
    assert any(each.disconnects for each in followers[:WATCHER_COUNT])
    await api.close()
    for channel in channels:
        await channel.close()


async def _end_in_turn(service: ServiceStack) -> None:
    """Kill one engine, let the other stop by itself, and both again; each comes back before the other goes."""
    first, second = service.engines
    for engine, end in ((first, first.kill), (second, second.stop)):
        await asyncio.sleep(0.4)
        await asyncio.to_thread(end)
        await asyncio.to_thread(engine.start)


@EACH_CODEC
async def test_streams_above_the_limit_get_a_retry_delay(codec: AnyCodec, redis_url: str) -> None:
    async with engine_with(redis_url, limit=2) as (engine, channel):
        driver = await GameClient(channel, codec).begin()
        watching = watch_events(channel, codec, driver.match_id)
        await watching.read()
        playing = await _open_play(channel, driver)
        beyond = open_play(channel, codec, driver.tokens[1])
        await beyond.write(play_request(codec, join={"match_id": driver.match_id}))
        for call in (watch_events(channel, codec, driver.match_id), beyond):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await call.read()
            assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert refusal(caught.value).reason == "TOO_MANY_STREAMS"
        watching.cancel()
        playing.cancel()
        await wait_until(lambda: engine.watched == 0)
        again = watch_events(channel, codec, driver.match_id)
        assert await anext(revisions_of(again)) == 1
        again.cancel()


async def _open_play(channel: grpc.aio.Channel, driver: MatchDriver, seat: int = 0) -> PlayCall:
    call = open_play(channel, driver.game_client.codec, driver.tokens[seat])
    await call.write(play_request(driver.game_client.codec, join={"match_id": driver.match_id}))
    await call.initial_metadata()
    return call


@EACH_CODEC
async def test_a_leave_is_streamed_and_ends_a_play_session(codec: AnyCodec, redis_url: str) -> None:
    async with engine_with(redis_url) as (_, channel):
        driver = await GameClient(channel, codec).begin(codec.game.min_seats)
        watching = watch_events(channel, codec, driver.match_id, int(str(field(driver.match, "revision"))))
        playing = await _open_play(channel, driver)
        for token in driver.tokens[1:]:
            driver.match = field(await driver.call("Leave", token), "match")  # type: ignore[assignment]
        await driver.play(Random(1))  # a turn that runs may have to end first (FB-87)
        received = [event async for event in log_entries_of(watching)]
        assert "leave" in received[0].notation
        answers = [response async for response in playing]
        assert field(answers[-1], "over", "score", "over") is True


CLIENT_PROGRAM = """
import asyncio, sys, grpc
from services.engine.codecs import CODECS
from tests.soak.streams import open_play, play_request, watch_events
async def main(address, game, match_id, token):
    channel, codec = grpc.aio.insecure_channel(address), CODECS[game]
    watching, playing = watch_events(channel, codec, match_id), open_play(channel, codec, token)
    await playing.write(play_request(codec, join={"match_id": match_id}))
    await playing.initial_metadata()
    await watching.read()
    print("joined", flush=True)
    await asyncio.sleep(600)
asyncio.run(main(*sys.argv[1:]))
"""


async def test_a_client_that_freezes_and_is_killed_leaves_no_stream(redis_url: str) -> None:
    """One that is frozen holds up nobody; once its host closes its connection, nothing is left of it."""
    codec = next(iter(CODECS.values()))
    async with engine_with(redis_url) as (engine, channel):
        driver = await GameClient(channel, codec).begin()
        address = f"127.0.0.1:{engine.port}"
        words = [sys.executable, "-c", CLIENT_PROGRAM, address, codec.game.name, driver.match_id, driver.tokens[0]]
        paths = os.pathsep.join([str(ROOT), str(ROOT / "proto" / "gen")])
        with subprocess.Popen(words, env={**os.environ, "PYTHONPATH": paths}, stdout=subprocess.PIPE) as client:
            try:
                assert client.stdout is not None
                assert await asyncio.to_thread(client.stdout.readline) == b"joined\n"
                assert engine.watched == 1
                client.send_signal(signal.SIGSTOP)
                watching = watch_events(channel, codec, driver.match_id)
                await driver.play(Random(1))
                last_revision = int(str(field(driver.match, "revision")))
                assert [each async for each in revisions_of(watching)] == [*range(1, last_revision + 1)]
            finally:
                client.kill()
        await wait_until(lambda: engine.watched == 0)


NON_READERS = 100
SLOW_READERS = 16
MAX_GROWTH = 8 << 20
"""How much a process may grow: all that they do not read would be more."""


async def test_watchers_that_do_not_read_cost_no_memory_and_delay_nobody(service: ServiceStack) -> None:
    codec = next(iter(CODECS.values()))
    engine = service.engines[0]
    async with grpc.aio.insecure_channel(engine.address) as channel:
        driver = await GameClient(channel, codec).begin()
        await watch_events(channel, codec, driver.match_id).read()
        before = ProcessUsage.of(engine.pid, 0).rss
        non_reading = [watch_events(channel, codec, driver.match_id) for _ in range(NON_READERS)]
        for call in non_reading:
            await call.initial_metadata()
        hearing = watch_events(channel, codec, driver.match_id)
        await driver.play(Random(1))
        last_revision = int(str(field(driver.match, "revision")))
        received = [each async for each in revisions_of(hearing)]
        assert received == [*range(1, last_revision + 1)]
        assert ProcessUsage.of(engine.pid, 0).rss - before < MAX_GROWTH
        assert [each async for each in revisions_of(non_reading[0])] == received
        for call in non_reading:
            call.cancel()


async def test_slow_readers_cost_no_memory_and_delay_nobody(service: ServiceStack) -> None:
    codec = next(iter(CODECS.values()))
    async with grpc.aio.insecure_channel(service.engines[0].address) as channel:
        driver = await GameClient(channel, codec).begin()
        await driver.play(Random(1))
        await _read_slowly(service, driver)
        before = ProcessUsage.of(service.gateway.pid, 0).rss
        await _read_slowly(service, driver)
        assert ProcessUsage.of(service.gateway.pid, 0).rss - before < MAX_GROWTH


async def _read_slowly(service: ServiceStack, driver: MatchDriver) -> None:
    """Some ask for the events of a whole match and take next to nothing, while one reads them all."""
    path = f"{matches_path(driver.game_client.codec, driver.match_id)}/events"
    slow = [resetting_connection(service.gateway.port) for _ in range(SLOW_READERS)]
    loop = asyncio.get_running_loop()
    try:
        for connection in slow:
            connection.setblocking(False)
            await loop.sock_sendall(connection, f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            assert await loop.sock_recv(connection, 1) == b"H"
        reader = ReconnectingWatcher()
        async with httpx.AsyncClient(base_url=service.gateway.url, timeout=60) as client:
            await asyncio.wait_for(reader.over_rest(client, driver.game_client.codec, driver.match_id, 1_000_000), 60)
        assert reader.received == [*range(1, int(str(field(driver.match, "revision"))) + 1)]
        for connection in slow:
            assert await loop.sock_recv(connection, 1) == b"T"
    finally:
        for connection in slow:
            connection.close()


async def test_events_end_within_seconds_when_the_gateway_process_stops(service: ServiceStack) -> None:
    codec = next(iter(CODECS.values()))
    async with (
        grpc.aio.insecure_channel(service.engines[0].address) as channel,
        httpx.AsyncClient(base_url=service.gateway.url, timeout=30) as client,
    ):
        driver = await GameClient(channel, codec).begin()
        path = f"{matches_path(codec, driver.match_id)}/events"
        async with client.stream("GET", path) as response:
            lines = response.aiter_lines()
            await anext(lines)
            began = time.monotonic()
            stopping = asyncio.ensure_future(asyncio.to_thread(service.gateway.stop))
            assert [line async for line in lines]
            await stopping
            assert time.monotonic() - began < 10
