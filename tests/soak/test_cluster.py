"""Slots of a Redis Cluster move, and primaries change places with their replicas, while matches are played and watched.

With `FIRESIDE_REPLICAS=1` no acknowledged move is lost or made twice, and no stream breaks. `make cluster` does so 20
times.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import grpc

from services.store.keys import bucket, outbox_key
from services.store.open import open_store
from tests.redis_cluster import ClusterRedis
from tests.soak.killable_stack import ServiceStack
from tests.soak.log_check import check_logs
from tests.soak.random_matches import AcknowledgedMoves
from tests.soak.store_soak import (
    WatchedStream,
    is_whole,
    moves_of,
    new_player,
    wait_for_more_moves,
    watch_new_matches,
)

ROUNDS = int(os.environ.get("FIRESIDE_CLUSTER_ROUNDS", "2"))
PLAYERS = int(os.environ.get("FIRESIDE_CLUSTER_PLAYERS", "6"))
SLOTS_A_ROUND = 8
DAY_SECONDS = 24 * 60 * 60


async def test_moved_slots_and_primaries_lose_no_acknowledged_move_and_break_no_stream(tmp_path: Path) -> None:
    acknowledged, streams, moved_keys = AcknowledgedMoves(), list[WatchedStream](), 0
    with ClusterRedis(tmp_path, "--appendonly", "yes", "--maxmemory-policy", "noeviction", replicas=1) as cluster:
        with ServiceStack(tmp_path, cluster.url, FIRESIDE_REPLICAS="1") as service:
            moved_keys = await _play_through_moves(cluster, service, acknowledged, streams)
        store = open_store(cluster.url, DAY_SECONDS)
        findings = await check_logs(store, acknowledged)
        broken = [stream for stream in streams if not await is_whole(stream, store)]
        await store.close()
    print(
        f"\nmoves acknowledged {moves_of(acknowledged)}, in the logs {findings.stored}, in {findings.matches} matches"
    )
    print(f"lost {findings.lost}, duplicated {findings.duplicated}, with gaps {findings.gaps}")
    print(f"streams {len(streams)}, not whole {len(broken)}", [(each.match_id, each.error) for each in broken[:3]])
    print(f"moved {ROUNDS * SLOTS_A_ROUND} slots with {moved_keys} keys; {ROUNDS} primaries became replicas")
    assert findings.stored > 0
    assert moved_keys > 0
    assert findings.is_correct, findings
    assert not broken


async def _play_through_moves(
    cluster: ClusterRedis, service: ServiceStack, acknowledged: AcknowledgedMoves, streams: list[WatchedStream]
) -> int:
    """Move slots and primaries under players; the number of moved keys."""
    stopping, random, moved_keys = asyncio.Event(), Random(1), 0
    async with AsyncExitStack() as stack:
        players = [new_player(number, service, acknowledged, stack) for number in range(PLAYERS)]
        playing = [asyncio.ensure_future(player.play(stopping)) for player in players]
        channels = [
            await stack.enter_async_context(grpc.aio.insecure_channel(engine.address)) for engine in service.engines
        ]
        watching = asyncio.ensure_future(watch_new_matches(channels, acknowledged, streams, stopping))
        for _ in range(ROUNDS):
            await wait_for_more_moves(acknowledged, 20 * PLAYERS, playing)
            for match_id in random.choices([*acknowledged.by_match], k=SLOTS_A_ROUND):
                key = outbox_key(bucket(match_id))
                target = random.choice([port for port in cluster.primaries() if port != cluster.primary_of(key)])
                moved_keys += await asyncio.to_thread(cluster.move_slot, key, target)
            await wait_for_more_moves(acknowledged, 1, playing)
            await asyncio.to_thread(cluster.promote_a_replica, random)
            await wait_for_more_moves(acknowledged, 1, playing)
        await wait_for_more_moves(acknowledged, 20 * PLAYERS, playing)
        stopping.set()
        await asyncio.wait_for(asyncio.gather(*playing), 60)
        await watching
    return moved_keys
