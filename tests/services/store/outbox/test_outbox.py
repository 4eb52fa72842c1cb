"""Outboxes: what a step causes elsewhere happens once and in order, also when the process that stored it stops."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import cast

import pytest
from fakeredis import FakeAsyncRedis, FakeServer
from redis.asyncio import Redis

from services.bots.costs import THINKING_QUEUE
from services.grpc_server.errors import StoreUnavailable
from services.store.keys import bucket, events_key, outbox_key
from services.store.matches.steps import Step, StreamEvent
from services.store.matches.store import Store
from services.store.outbox.outbox import ENTRIES_PER_READ, Effect, Entry, Outbox
from services.store.redis import Argument, Reply
from services.store.scripts import Script
from services.store.turns.queue import HostedTurn
from tests.redis_clients import redis_at
from tests.services.store.matches.test_store import DAY_SECONDS
from tests.services.store.stores import store_on

CLUB = events_key("club")
OUTBOX = outbox_key(bucket("match"))


@pytest.fixture
async def redis(store_url: str) -> AsyncIterator[Redis]:
    redis = redis_at(store_url) if store_url else FakeAsyncRedis(server=FakeServer())
    await redis.flushdb()
    yield redis
    await redis.aclose()


@pytest.fixture
async def store(redis: Redis, store_url: str) -> AsyncIterator[Store]:
    store = store_on(redis, store_url, DAY_SECONDS)
    assert await store.create("match", b"header", b"state", b"progress", [b"line"])
    yield store
    await store.close()


async def step(store: Store, revision: int, *events: StreamEvent) -> None:
    """Store a step to a revision, with events, and with a turn that a bot owes."""
    turns = [HostedTurn("fire_bulls@1", "match", 1, revision, "mcts:iterations=200")]
    await store.commit("match", Step(revision - 1, revision, b"", b"", [b"line"], hosted_turns=turns, events=events))


def event(revision: int) -> StreamEvent:
    return StreamEvent(CLUB, b"%d" % revision)


async def leave(monkeypatch: pytest.MonkeyPatch, store: Store, revisions: Sequence[int]) -> None:
    """Store steps as a process does that is killed before it carries out what they cause."""

    async def killed(*_: object) -> None:
        """The process ends before."""

    with monkeypatch.context() as context:
        context.setattr(store.outbox, "deliver_soon", killed)
        for revision in revisions:
            await step(store, revision, event(revision))


async def heard(redis: Redis) -> list[bytes]:
    """The events in the stream of the platform."""
    found = cast("list[tuple[bytes, dict[bytes, bytes]]]", await redis.xrange(CLUB))
    return [fields[b"event"] for _, fields in found]


async def test_what_a_step_causes_is_done_when_it_returns(redis: Redis, store: Store) -> None:
    await step(store, 2, event(2), StreamEvent(events_key("other"), b"theirs"))
    assert await heard(redis) == [b"2"]
    assert await redis.xlen(events_key("other")) == 1
    assert await redis.zcard(THINKING_QUEUE) == 1
    assert await redis.xlen(OUTBOX) == 0


async def test_a_step_without_effects_needs_no_outbox(redis: Redis, store: Store) -> None:
    await store.commit("match", Step(1, 2, b"", b"", [b"line"]))
    assert not await redis.exists(OUTBOX)


async def test_a_sweep_does_what_a_stopped_process_has_left_once_and_in_order(
    redis: Redis, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    revisions = range(2, 2 * ENTRIES_PER_READ + 5)
    await leave(monkeypatch, store, revisions)
    assert await heard(redis) == []
    seen: dict[int, str] = {}
    await store.outbox.sweep(seen)
    assert await heard(redis) == [], "the process that stored the steps may still do it"
    await store.outbox.sweep(seen)
    await store.outbox.sweep(seen)
    assert await heard(redis) == [b"%d" % revision for revision in revisions]
    assert await redis.zcard(THINKING_QUEUE) == len(revisions)
    assert await redis.xlen(OUTBOX) == 0


async def test_the_next_step_does_what_was_left_before_its_own(
    redis: Redis, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await leave(monkeypatch, store, [2, 3])
    await step(store, 4, event(4))
    assert await heard(redis) == [b"2", b"3", b"4"]


async def test_no_event_comes_twice_however_often_an_outbox_is_emptied(
    redis: Redis, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await leave(monkeypatch, store, range(2, 12))
    entries = Entry.parse_all(await store._connection.execute("XRANGE", OUTBOX, "-", "+"))
    passes = [store.outbox._deliver(bucket("match"), entries[:most]) for most in (3, 10, 7, 10, 1)]
    await asyncio.gather(*passes)
    assert await heard(redis) == [b"%d" % revision for revision in range(2, 12)]


async def test_events_of_another_run_of_redis_are_no_repetition(redis: Redis, store: Store) -> None:
    """A Redis that took over may have a slower clock: its ids may be smaller than those of the one before."""
    await step(store, 2, event(2))
    await store.outbox._put(bucket("match"), CLUB, [Entry("1-0", "another run", [Effect(CLUB, b"3")])])
    assert await heard(redis) == [b"2", b"3"]


async def test_a_platform_whose_part_of_a_cluster_is_away_holds_up_no_other(redis: Redis, store: Store) -> None:
    others = events_key("other")
    is_away = True

    async def evaluate(script: Script, keys: list[str], arguments: Sequence[Argument]) -> Reply:
        if is_away and keys[0] == CLUB:
            raise StoreUnavailable
        return await store._connection.evaluate_write(script, keys, arguments)

    store.outbox = Outbox(store._connection.execute, evaluate)  # type: ignore[misc]
    revisions = range(2, 2 * ENTRIES_PER_READ + 5)
    for revision in revisions:
        await step(store, revision, event(revision), StreamEvent(others, b"%d" % revision))
    assert await redis.xlen(CLUB) == 0
    assert await redis.xlen(others) == len(revisions)
    assert await redis.xlen(OUTBOX) == len(revisions)
    is_away = False
    seen: dict[int, str] = {}
    await store.outbox.sweep(seen)
    await store.outbox.sweep(seen)
    assert await heard(redis) == [b"%d" % revision for revision in revisions]
    assert await redis.xlen(others) == len(revisions)
    assert await redis.xlen(OUTBOX) == 0


async def test_an_overwritten_outbox_makes_no_step_fail(redis: Redis, store: Store) -> None:
    await redis.set(OUTBOX, "of another type")
    await step(store, 2, event(2))
    assert await heard(redis) == [b"2"]
