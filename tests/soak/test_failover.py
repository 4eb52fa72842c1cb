"""The primary of Redis is killed while matches are played and watched, and Sentinel promotes a replica.

With `FIRESIDE_REPLICAS=1` no acknowledged move is lost; without, what had not reached a replica is. `make failover`
kills 20 primaries in both ways.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from random import Random

import grpc

from services.engine.codecs import CODECS
from services.store.matches.store import Store
from services.store.open import open_store
from tests.redis_sentinel import FailoverRedis
from tests.soak.clients import ApiClient, GrpcClient, RestClient
from tests.soak.killable_stack import ServiceStack
from tests.soak.log_check import Findings, check_logs
from tests.soak.random_matches import AcknowledgedMoves, RandomMatches
from tests.soak.streams import revisions_of, watch_events

KILLS = int(os.environ.get("FIRESIDE_FAILOVERS", "1"))
PLAYERS = int(os.environ.get("FIRESIDE_FAILOVER_PLAYERS", "6"))
REPLICAS = os.environ.get("FIRESIDE_FAILOVER_REPLICAS", "1")
WATCHERS = 6
BACK_SECONDS = float(os.environ.get("FIRESIDE_FAILOVER_BACK", "15"))
"""Time after Sentinel's by which moves must be acknowledged again; 2 on a machine that does nothing else."""
DAY_SECONDS = 24 * 60 * 60


@dataclass
class WatchedStream:
    """The revisions that a watcher has received, reconnecting after the last one whenever its engine had no store."""

    match_id: str
    received: list[int] = field(default_factory=list)
    error: str = ""

    async def watch(self, channels: list[grpc.aio.Channel], acknowledged: AcknowledgedMoves) -> None:
        codec, _ = acknowledged.games[self.match_id]
        for channel in cycle(channels):
            try:
                after = self.received[-1] if self.received else 0
                async for revision in revisions_of(watch_events(channel, codec, self.match_id, after)):
                    self.received.append(revision)
                return
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.UNAVAILABLE:
                    self.error = f"{error.code().name}: {error.details()}"
                    return
            await asyncio.sleep(0.05)


@dataclass
class Failovers:
    """Seconds from each kill until Sentinel named another primary, and from then until a move was acknowledged."""

    sentinel: list[float] = field(default_factory=list)
    back: list[float] = field(default_factory=list)


async def test_a_killed_primary_loses_no_acknowledged_move_and_breaks_no_stream(tmp_path: Path) -> None:
    acknowledged = AcknowledgedMoves()
    with FailoverRedis(tmp_path, "--appendonly", "yes", "--maxmemory-policy", "noeviction") as redis:
        with ServiceStack(tmp_path, redis.url, FIRESIDE_REPLICAS=REPLICAS) as service:
            failovers, streams = await _play_through_failovers(redis, service, acknowledged)
        store = open_store(redis.url, DAY_SECONDS)
        findings = await check_logs(store, acknowledged)
        broken = [stream for stream in streams if not await _is_whole(stream, store)]
        await store.close()
    _print_findings(acknowledged, failovers, findings, streams, broken)
    assert findings.stored > 0
    assert len(failovers.sentinel) == KILLS
    if REPLICAS != "0":
        assert findings.is_correct, findings
        assert not broken
        assert max(failovers.back) <= BACK_SECONDS


async def _play_through_failovers(
    redis: FailoverRedis, service: ServiceStack, acknowledged: AcknowledgedMoves
) -> tuple[Failovers, list[WatchedStream]]:
    stopping = asyncio.Event()
    failovers, streams = Failovers(), list[WatchedStream]()
    async with AsyncExitStack() as stack:
        players = [_player(number, service, acknowledged, stack) for number in range(PLAYERS)]
        playing = [asyncio.ensure_future(player.play(stopping)) for player in players]
        channels = [
            await stack.enter_async_context(grpc.aio.insecure_channel(engine.address)) for engine in service.engines
        ]
        watching = asyncio.ensure_future(_watch_new_matches(channels, acknowledged, streams, stopping))
        for _ in range(KILLS):
            await _wait_for_more_moves(acknowledged, 20 * PLAYERS, playing)
            killed = time.monotonic()
            failovers.sentinel.append(await asyncio.to_thread(redis.fail_over))
            await _wait_for_more_moves(acknowledged, 1, playing)
            failovers.back.append(time.monotonic() - killed - failovers.sentinel[-1])
            await asyncio.to_thread(redis.wait_until_complete)
        await _wait_for_more_moves(acknowledged, 20 * PLAYERS, playing)
        stopping.set()
        await asyncio.wait_for(asyncio.gather(*playing), 60)
        await watching
    return failovers, streams


def _player(
    number: int, service: ServiceStack, acknowledged: AcknowledgedMoves, stack: AsyncExitStack
) -> RandomMatches:
    """Every other player calls over gRPC, the others over REST."""
    random = Random(number)
    api: ApiClient
    if number % 2:
        api = rest = RestClient(service.gateway.url)
        stack.push_async_callback(rest.close)
    else:
        api = client = GrpcClient([engine.address for engine in service.engines], random)
        stack.push_async_callback(client.close)
    codecs = list(CODECS.values())
    return RandomMatches(codecs[number // 2 % len(codecs)], [api], random, acknowledged, longest_wait=0.2)


async def _watch_new_matches(
    channels: list[grpc.aio.Channel],
    acknowledged: AcknowledgedMoves,
    streams: list[WatchedStream],
    stopping: asyncio.Event,
) -> None:
    """Watch always so many matches, from their beginning."""
    watching: set[asyncio.Task[None]] = set()
    while not stopping.is_set():
        watching = {task for task in watching if not task.done()}
        known = {stream.match_id for stream in streams}
        for match_id in [each for each in acknowledged.by_match if each not in known][: WATCHERS - len(watching)]:
            streams.append(WatchedStream(match_id))
            watching.add(asyncio.ensure_future(streams[-1].watch(channels[len(streams) % 2 :], acknowledged)))
        await asyncio.sleep(0.1)
    await asyncio.sleep(0.5)  # what was acknowledged has been published by then
    for task in watching:
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)


def _moves(acknowledged: AcknowledgedMoves) -> int:
    return sum(map(len, acknowledged.by_match.values()))


async def _wait_for_more_moves(
    acknowledged: AcknowledgedMoves, number: int, playing: Sequence[asyncio.Future[None]]
) -> None:
    wanted = _moves(acknowledged) + number
    while _moves(acknowledged) < wanted:
        await asyncio.sleep(0.005)
        for task in playing:
            if task.done():
                task.result()


async def _is_whole(stream: WatchedStream, store: Store) -> bool:
    """Whether a watcher has received the lines of its match in order, each once, and as many as there are by now."""
    snapshot, _ = await store.read_log(stream.match_id, 0)
    return not stream.error and stream.received == list(range(1, snapshot.revision + 1))


def _print_findings(
    acknowledged: AcknowledgedMoves,
    failovers: Failovers,
    findings: Findings,
    streams: list[WatchedStream],
    broken: list[WatchedStream],
) -> None:
    print(f"\nmoves acknowledged {_moves(acknowledged)}, in the logs {findings.stored}, in {findings.matches} matches")
    print(f"lost {findings.lost}, duplicated {findings.duplicated}, with gaps {findings.gaps}", end=", ")
    print(f"differing snapshots {findings.differing_snapshots}")
    print(f"streams {len(streams)}, not whole {len(broken)}", [(each.match_id, each.error) for each in broken[:3]])
    for name, seconds in (
        ("until Sentinel named another", failovers.sentinel),
        ("from then to a move", failovers.back),
    ):
        print(f"seconds {name}: {min(seconds):.2f} to {max(seconds):.2f}, in {len(seconds)} failovers")
