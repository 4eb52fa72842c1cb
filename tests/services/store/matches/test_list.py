"""Public list of matches, embedded, on a real Redis and on a node of a cluster: order, pages and removal of entries."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from fakeredis import FakeAsyncRedis, FakeServer
from redis.asyncio import Redis

from services.store.matches.list import PENDING_MS, SAMPLES, ListEntry, MatchList
from services.store.matches.store import Store
from services.store.open import open_store
from tests.redis_clients import blocking_redis_at, redis_at
from tests.redis_server import free_port, redis_server
from tests.services.store.stores import store_on

DAY_SECONDS = 86400
IN_PLAY, FINISHED = "fireside:listed:game:in-play", "fireside:listed:game:finished"


@pytest.fixture
async def redis(store_url: str) -> AsyncIterator[Redis]:
    redis = redis_at(store_url) if store_url else FakeAsyncRedis(server=FakeServer())
    yield redis
    await redis.aclose()


@pytest.fixture
async def store(redis: Redis, store_url: str) -> AsyncIterator[Store]:
    store = store_on(redis, store_url, DAY_SECONDS)
    yield store
    await store.close()


async def create(store: Store, match_list: MatchList, match_id: str, created_ms: int) -> ListEntry:
    """The match first, since the entry is an old one, which could be removed before that."""
    entry = ListEntry(created_ms, match_id)
    assert await store.create(match_id, b"header", b"state", b"progress", [b"line"])
    await match_list.add(entry)
    return entry


async def ids(match_list: MatchList, state: bool | None = None) -> list[str]:
    return [entry.match_id for entry in await match_list.page(state, None, 100)]


async def test_the_newest_match_comes_first_in_both_sets(store: Store) -> None:
    match_list = store.match_list("game")
    entries = [await create(store, match_list, f"match-{number}", 1_000_000 + number // 2) for number in range(6)]
    for entry in entries[::3]:
        await match_list.move(entry, is_finished=True)
    assert await ids(match_list) == ["match-5", "match-4", "match-3", "match-2", "match-1", "match-0"]
    assert await ids(match_list, False) == ["match-5", "match-4", "match-2", "match-1"]
    assert await ids(match_list, True) == ["match-3", "match-0"]
    assert await ids(store.match_list("another")) == []


async def test_a_page_begins_after_a_position_and_has_at_most_so_many_entries(store: Store) -> None:
    match_list = store.match_list("game")
    entries = [await create(store, match_list, f"match-{number}", 5) for number in range(6)]
    await match_list.move(entries[2], is_finished=True)
    page = await match_list.page(None, entries[4], 3)
    assert page == [entries[3], entries[2]._replace(is_finished=True), entries[1]]
    assert await match_list.page(None, entries[0], 3) == []


async def test_an_entry_in_both_sets_is_found_once_as_a_finished_one(store: Store, redis: Redis) -> None:
    match_list = store.match_list("game")
    entry = await create(store, match_list, "match", 5)
    await redis.zadd(FINISHED, {entry.text(): 0})  # as if a process had crashed while it moved the entry
    assert await match_list.page(None, None, 9) == [entry._replace(is_finished=True)]


async def test_an_old_entry_is_removed_and_a_young_one_stays(store: Store) -> None:
    match_list = store.match_list("game")
    now_ms = await store.now_ms()
    entries = [ListEntry(now_ms - age_ms, f"match-{age_ms}") for age_ms in (0, PENDING_MS - 5000, PENDING_MS + 5000)]
    for entry in entries:
        await match_list.add(entry)
    await match_list.remove(await match_list.page(None, None, 9))
    assert await match_list.page(None, None, 9) == entries[:2]


async def test_a_list_that_nobody_reads_does_not_grow(store: Store, redis: Redis) -> None:
    """Every tenth match is stored, all others have expired."""
    match_list = store.match_list("game")
    for number in range(400):
        entry = ListEntry(1_000_000 + number, f"match-{number}")
        if number % 10 == 0:
            entry = await create(store, match_list, entry.match_id, entry.created_ms)
        else:
            await match_list.add(entry)
        if number % 2:
            await match_list.move(entry, is_finished=True)
    stored = {f"match-{number}" for number in range(0, 400, 10)}
    assert stored <= set(await ids(match_list))
    assert await redis.zcard(IN_PLAY) + await redis.zcard(FINISHED) < 40 * (1 + SAMPLES)


async def test_the_list_works_on_a_node_of_a_cluster(tmp_path: Path) -> None:
    with redis_server(tmp_path, "--cluster-enabled", "yes", "--cluster-port", str(free_port())) as url:
        with blocking_redis_at(url) as node:
            node.cluster("ADDSLOTSRANGE", 0, 16383)
            while node.cluster("INFO")["cluster_state"] != "ok":
                pass
        store = open_store(url, DAY_SECONDS)
        match_list = store.match_list("game")
        entry = await create(store, match_list, "match", 5)
        await match_list.move(ListEntry(6, "gone"), is_finished=False)
        await match_list.move(entry, is_finished=True)
        await match_list.remove([ListEntry(6, "gone")])
        assert await match_list.page(None, None, 9) == [entry._replace(is_finished=True)]
        assert [snapshot is None for snapshot in await store.snapshots(["match", "gone"])] == [False, True]
        await store.close()


@pytest.mark.parametrize(
    "text", ["", "1", "-", "0000000000001", "0000000000001-", "0000000000001-a b", "1-a", "x" * 99]
)
def test_another_text_is_no_entry(text: str) -> None:
    with pytest.raises(ValueError, match="not an entry"):
        ListEntry.parse(text)
