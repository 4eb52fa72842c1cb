"""A store on a Redis Cluster of three primaries: where keys lie, slots that move, and a primary that fails."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import cast

import pytest

from services.grpc_server.errors import StoreUnavailable
from services.store.keys import BUCKETS, bucket, events_key, match_keys, outbox_key
from services.store.matches.steps import Step, StreamEvent
from services.store.matches.store import Store
from services.store.open import open_store
from tests.redis_clients import redis_at
from tests.redis_cluster import ClusterRedis

DAY_SECONDS = 24 * 60 * 60
MATCHES = [f"m{number}" for number in range(30)]
CLUB = events_key("club")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClusterRedis]:
    with ClusterRedis(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture
async def store(cluster: ClusterRedis) -> AsyncIterator[Store]:
    async with redis_at(cluster.url) as redis:
        await redis.flushdb()
    store = open_store(cluster.url, DAY_SECONDS)
    yield store
    await store.close()


async def create(store: Store, match_id: str) -> None:
    assert await store.create(match_id, b"header", b"state", b"progress", [b"1"])


async def step(store: Store, match_id: str, revision: int) -> None:
    """Store a step with an event that tells the match and the revision."""
    event = StreamEvent(CLUB, f"{match_id} {revision}".encode())
    await store.commit(match_id, Step(revision - 1, revision, b"", b"", [b"line"], events=[event]))


async def events(cluster: ClusterRedis) -> list[bytes]:
    """The events of the platform, in order."""
    async with redis_at(cluster.url) as redis:
        found = cast("list[tuple[bytes, dict[bytes, bytes]]]", await redis.xrange(CLUB))
    return [fields[b"event"] for _, fields in found]


def other_primary(cluster: ClusterRedis, key: str) -> int:
    """A primary that does not have the slot of a key."""
    here = cluster.primary_of(key)
    return next(port for port in cluster.ports if port != here)


def test_the_buckets_are_spread_over_the_primaries(cluster: ClusterRedis) -> None:
    counts = dict.fromkeys(cluster.ports, 0)
    for number in range(BUCKETS):
        counts[cluster.primary_of(outbox_key(number))] += 1
    assert min(counts.values()) > BUCKETS / 6


async def test_matches_of_all_primaries_are_played_and_scanned(cluster: ClusterRedis, store: Store) -> None:
    for match_id in MATCHES:
        await create(store, match_id)
        await step(store, match_id, 2)
    assert len({cluster.primary_of(match_keys(match_id)[0]) for match_id in MATCHES}) == len(cluster.ports)
    assert sorted(await events(cluster)) == sorted(f"{match_id} 2".encode() for match_id in MATCHES)
    assert len({(await store.load(match_id)).run_id for match_id in MATCHES}) == len(cluster.ports)
    scanned: list[str] = []
    cursor, is_first = "0", True
    while is_first or cursor != "0":
        cursor, found = await store.match_ids(cursor, 10)
        scanned, is_first = [*scanned, *found], False
    assert sorted(scanned) == sorted(MATCHES)


async def test_a_store_that_does_not_know_of_a_moved_slot_finds_the_match(cluster: ClusterRedis, store: Store) -> None:
    await create(store, "m1")
    cluster.move_slot(match_keys("m1")[0], other_primary(cluster, match_keys("m1")[0]))
    await step(store, "m1", 2)
    assert (await store.load("m1")).revision == 2


async def test_no_step_is_lost_or_made_twice_while_slots_move(cluster: ClusterRedis, store: Store) -> None:
    match_ids = [match_id for match_id in map(str, range(2000)) if bucket(match_id) == 0][:20]
    for match_id in match_ids:
        await create(store, match_id)
    revisions = dict.fromkeys(match_ids, 1)
    is_moving = True

    async def play(match_id: str) -> None:
        while is_moving or revisions[match_id] < 3:
            await step(store, match_id, revisions[match_id] + 1)
            revisions[match_id] += 1

    players = [asyncio.create_task(play(match_id)) for match_id in match_ids]
    for _ in range(4):
        target = other_primary(cluster, outbox_key(0))
        assert await asyncio.to_thread(cluster.move_slot, outbox_key(0), target) >= 2 * len(match_ids)
        assert cluster.primary_of(outbox_key(0)) == target
    is_moving = False
    await asyncio.gather(*players)
    for match_id, revision in revisions.items():
        snapshot, lines = await store.read_log(match_id, 0)
        assert snapshot.revision == len(lines) == revision
    for match_id, revision in revisions.items():
        heard = [event for event in await events(cluster) if event.split()[0] == match_id.encode()]
        assert heard == [f"{match_id} {number}".encode() for number in range(2, revision + 1)]


async def test_a_replica_takes_over_for_its_primary(tmp_path: Path) -> None:
    with ClusterRedis(tmp_path, replicas=1) as cluster:
        store = open_store(cluster.url, DAY_SECONDS, replicas=1)
        for match_id in MATCHES:
            await create(store, match_id)
        primaries = {match_id: cluster.primary_of(match_keys(match_id)[0]) for match_id in MATCHES}
        away = [match_id for match_id, port in primaries.items() if port == primaries["m1"]]
        cluster.kill(primaries["m1"])
        deadline = time.monotonic() + 30
        others = [match_id for match_id in MATCHES if match_id not in away]
        tries, is_back = 0, False
        while not is_back:
            assert time.monotonic() < deadline
            await asyncio.sleep(0.1)
            with suppress(StoreUnavailable):
                await store.load("m1")
                is_back = True
            await store.load(others[tries % len(others)])
            tries += 1
        assert tries > 10
        for match_id in MATCHES:
            assert (await store.load(match_id)).state == b"state"
        for match_id in others:
            await step(store, match_id, 2)
        await store.close()
