"""The primary of Redis is killed while matches are played and watched, and Sentinel promotes a replica.

With `FIRESIDE_REPLICAS=1` no acknowledged move is lost; without, what had not reached a replica is. `make failover`
kills 20 primaries in both ways.
"""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import grpc

from services.store.open import open_store
from tests.redis_sentinel import FailoverRedis
from tests.soak.killable_stack import ServiceStack
from tests.soak.log_check import Findings, check_logs
from tests.soak.random_matches import AcknowledgedMoves
from tests.soak.store_soak import (
    WatchedStream,
    is_whole,
    moves_of,
    new_player,
    wait_for_more_moves,
    watch_new_matches,
)

KILLS = int(os.environ.get("FIRESIDE_FAILOVERS", "1"))
PLAYERS = int(os.environ.get("FIRESIDE_FAILOVER_PLAYERS", "6"))
REPLICAS = os.environ.get("FIRESIDE_FAILOVER_REPLICAS", "1")
BACK_SECONDS = float(os.environ.get("FIRESIDE_FAILOVER_BACK", "15"))
"""Time after Sentinel's by which moves must be acknowledged again; 2 on a machine that does nothing else."""
DAY_SECONDS = 24 * 60 * 60


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
        broken = [stream for stream in streams if not await is_whole(stream, store)]
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
        players = [new_player(number, service, acknowledged, stack) for number in range(PLAYERS)]
        playing = [asyncio.ensure_future(player.play(stopping)) for player in players]
        channels = [
            await stack.enter_async_context(grpc.aio.insecure_channel(engine.address)) for engine in service.engines
        ]
        watching = asyncio.ensure_future(watch_new_matches(channels, acknowledged, streams, stopping))
        for _ in range(KILLS):
            await wait_for_more_moves(acknowledged, 20 * PLAYERS, playing)
            killed = time.monotonic()
            failovers.sentinel.append(await asyncio.to_thread(redis.fail_over))
            await wait_for_more_moves(acknowledged, 1, playing)
            failovers.back.append(time.monotonic() - killed - failovers.sentinel[-1])
            await asyncio.to_thread(redis.wait_until_complete)
        await wait_for_more_moves(acknowledged, 20 * PLAYERS, playing)
        stopping.set()
        await asyncio.wait_for(asyncio.gather(*playing), 60)
        await watching
    return failovers, streams


def _print_findings(
    acknowledged: AcknowledgedMoves,
    failovers: Failovers,
    findings: Findings,
    streams: list[WatchedStream],
    broken: list[WatchedStream],
) -> None:
    print(
        f"\nmoves acknowledged {moves_of(acknowledged)}, in the logs {findings.stored}, in {findings.matches} matches"
    )
    print(f"lost {findings.lost}, duplicated {findings.duplicated}, with gaps {findings.gaps}", end=", ")
    print(f"differing snapshots {findings.differing_snapshots}")
    print(f"streams {len(streams)}, not whole {len(broken)}", [(each.match_id, each.error) for each in broken[:3]])
    for name, seconds in (
        ("until Sentinel named another", failovers.sentinel),
        ("from then to a move", failovers.back),
    ):
        print(f"seconds {name}: {min(seconds):.2f} to {max(seconds):.2f}, in {len(seconds)} failovers")
