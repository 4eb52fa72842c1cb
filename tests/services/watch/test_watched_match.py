"""Watchers never get ahead of the watched match: at its end each of them is sent the current turn."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator

import pytest

from services.store.matches.steps import Step
from services.store.matches.store import Store
from services.store.open import open_store
from services.watch.feed import Feed
from services.watch.watched_match import WatchedMatch, Watcher


@pytest.fixture
async def store(redis_url: str) -> AsyncIterator[Store]:
    store = open_store(redis_url, 3600)
    yield store
    await store.close()


@pytest.fixture
async def match_id(store: Store) -> str:
    """A match at revision 2."""
    match_id = secrets.token_urlsafe(12)
    await store.create(match_id, b"header", b"1", b"1", [b"one"])
    await store_step(store, match_id, 1)
    return match_id


async def store_step(store: Store, match_id: str, base_revision: int) -> None:
    line = str(base_revision + 1).encode()
    assert await store.commit(match_id, Step(base_revision, base_revision + 1, line, line, [line])) is None


async def test_a_late_watcher_reads_no_line_that_the_feed_has_not_read(store: Store, match_id: str) -> None:
    watched = WatchedMatch(match_id, 1, lambda _: False)
    watcher = Watcher(watched, store, 0, b"")
    assert [line.data for line in await watcher.lines()] == [b"one"]
    assert watcher.revision == watched.end
    waiting = asyncio.create_task(watcher.lines())
    await asyncio.sleep(0.05)
    watched.add([b"2"], over=False)
    assert [line.data for line in await waiting] == [b"2"]


async def test_a_watcher_of_a_newer_revision_waits_until_the_feed_has_read_it(store: Store, match_id: str) -> None:
    feed = Feed(store)
    async with feed.follow(match_id, 2, 2, lambda _: False) as first:
        await store_step(store, match_id, 2)
        async with feed.follow(match_id, 3, 3, lambda _: False) as newer:
            assert first.end == 2
            async with asyncio.timeout(5):
                await newer.reach_start()
            assert newer.revision == newer.end == 3
    await feed.close()
