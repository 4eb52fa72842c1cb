"""Feed of watched matches: steps of this process, and steps of other processes."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator

import pytest

from engine_core.errors import StaleRevision
from services.store.keys import channel, match_keys
from services.store.matches.steps import Step
from services.store.matches.store import Store
from services.store.open import open_store
from services.watch.feed import Feed, LocalStep
from services.watch.watched_match import Watcher
from tests.redis_clients import redis_at, subscriber_count

TIMEOUT_SECONDS = 5.0


@pytest.fixture
async def store(redis_url: str) -> AsyncIterator[Store]:
    store = open_store(redis_url, 3600)
    yield store
    await store.close()


@pytest.fixture
async def feed(store: Store) -> AsyncIterator[Feed]:
    feed = Feed(store)
    yield feed
    await feed.close()


@pytest.fixture
async def match_id(store: Store) -> str:
    """A match at revision 1."""
    match_id = secrets.token_urlsafe(12)
    assert await store.create(match_id, b"header", b"1", b"1", [b"one"])
    return match_id


@pytest.fixture
async def watcher(feed: Feed, match_id: str, redis_url: str) -> AsyncIterator[Watcher]:
    """A watcher of the match at revision 1, whose channel is subscribed."""
    async with feed.follow(match_id, 1, 1, lambda _: False) as watcher, redis_at(redis_url) as redis:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while not await subscriber_count(redis, channel(match_id)):
                await asyncio.sleep(0.01)
        yield watcher


async def store_step_elsewhere(store: Store, match_id: str, base_revision: int) -> None:
    revision = base_revision + 1
    line = str(revision).encode()
    assert await store.commit(match_id, Step(base_revision, revision, line, line, [line])) is None


async def wait_for_message(feed: Feed, match_id: str, revision: int) -> None:
    """Wait until the message about a revision has arrived."""
    watched = feed.find(match_id)
    assert watched is not None
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while watched.published < revision:
            await asyncio.sleep(0.01)


async def wait_until_read(feed: Feed, match_id: str, revision: int) -> None:
    """Wait until the message about a revision has arrived and its read has ended."""
    await wait_for_message(feed, match_id, revision)
    watched = feed.find(match_id)
    assert watched is not None
    if watched.reading is not None:
        await asyncio.wait([watched.reading], timeout=TIMEOUT_SECONDS)


async def last_line(watcher: Watcher) -> bytes:
    async with asyncio.timeout(TIMEOUT_SECONDS):
        return (await watcher.lines())[-1].data


async def test_a_step_of_another_process_is_published(store: Store, match_id: str, watcher: Watcher) -> None:
    await store_step_elsewhere(store, match_id, 1)
    assert await last_line(watcher) == b"2"


async def test_notifications_wait_while_a_step_is_made_in_this_process(
    store: Store, feed: Feed, match_id: str, watcher: Watcher
) -> None:
    with LocalStep(feed, match_id, 2) as local_step:
        await store_step_elsewhere(store, match_id, 1)
        await wait_for_message(feed, match_id, 2)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(watcher.lines(), 0.1)
        local_step.stored(1, [b"told"], over=False)
    assert await last_line(watcher) == b"told"


async def test_notifications_after_a_lost_step_do_not_wait_for_other_steps(
    store: Store, feed: Feed, match_id: str, watcher: Watcher
) -> None:
    with LocalStep(feed, match_id, 2):
        with LocalStep(feed, match_id, 2):
            await store_step_elsewhere(store, match_id, 1)
            await wait_for_message(feed, match_id, 2)
        assert await last_line(watcher) == b"2"


async def test_notifications_of_later_steps_do_not_wait_for_the_current_one(
    store: Store, feed: Feed, match_id: str, watcher: Watcher
) -> None:
    with LocalStep(feed, match_id, 2):
        await store_step_elsewhere(store, match_id, 1)
        await store_step_elsewhere(store, match_id, 2)
        assert await last_line(watcher) == b"3"


@pytest.mark.parametrize("others", [1, 2, 3])
@pytest.mark.parametrize("here", [True, False], ids=["here", "elsewhere"])
async def test_after_a_store_lost_and_rewrote_lines_a_stream_ends_as_stale(
    store: Store, feed: Feed, match_id: str, watcher: Watcher, redis_url: str, others: int, here: bool
) -> None:
    async with redis_at(redis_url) as redis:
        keys = [match_keys(match_id)[0], match_keys(match_id)[1]]
        dumped_values = [await redis.dump(key) or b"" for key in keys]
        for revision in (1, 2):
            await store_step_elsewhere(store, match_id, revision)
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while watcher.revision < 3:
                await watcher.lines()
        await wait_until_read(feed, match_id, 3)
        for key, value in zip(keys, dumped_values, strict=True):
            await redis.restore(key, 0, value, replace=True)
    for revision in range(1, others + 1):
        line = f"another {revision + 1}".encode()
        with LocalStep(feed if here else None, match_id, revision + 1) as local_step:
            assert await store.commit(match_id, Step(revision, revision + 1, line, line, [line])) is None
            local_step.stored(revision, [line], over=False)
    async with asyncio.timeout(TIMEOUT_SECONDS):
        with pytest.raises(StaleRevision):
            await watcher.lines()
