"""The lines of turns, embedded and on a real Redis."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from fakeredis import FakeAsyncRedis, FakeServer
from redis.asyncio import Redis

from services import turns
from services.bots.allowed import is_remote
from services.store import LostRace, Script, Step, Store
from services.turns import GROUP, REMOTE, THINKING, Turn
from tests.services.stores import store_on
from tests.services.test_store import DAY

TURN = Turn("fire_bulls@1", "match", 1, 2, "mcts:iterations=200")


@pytest.fixture
async def redis(store_url: str) -> AsyncIterator[Redis]:
    redis = Redis.from_url(store_url) if store_url else FakeAsyncRedis(server=FakeServer())
    await redis.flushdb()
    yield redis
    await redis.aclose()


@pytest.fixture
async def store(redis: Redis, store_url: str) -> AsyncIterator[Store]:
    store = store_on(redis, store_url, DAY)
    yield store
    await store.close()


async def begin(store: Store, *asked: Turn) -> None:
    assert await store.create("match", b"header", b"state", b"progress", [b"one", b"two"], turns=asked)


@pytest.mark.parametrize("bot", ["random", "mcts:iterations=200,exploration=1.4", "https://bots.example/a b"])
def test_a_turn_that_is_written_is_read(bot: str) -> None:
    turn = TURN._replace(bot=bot)
    assert Turn.parse(turn.text()) == turn


@pytest.mark.parametrize(
    ("bot", "remote"),
    [("random", False), ("grpc:host:1", True), ("http://host/", True), ("https://host/", True), ("grpcs", False)],
)
def test_bots_over_the_network_have_a_line_of_their_own(bot: str, remote: bool) -> None:
    assert is_remote(bot) is remote
    assert TURN._replace(bot=bot).line == (REMOTE if remote else THINKING)


async def test_a_match_that_begins_asks_its_hosted_seats(store: Store) -> None:
    line, remote = store.turns(THINKING, "worker"), store.turns(REMOTE, "worker")
    await asyncio.gather(line.begin(), remote.begin())
    asked = [TURN, TURN._replace(seat=0, bot="grpc:host:1")]
    await begin(store, *asked)
    assert [taken.turn for taken in [*await line.take(9), *await remote.take(9)]] == asked
    assert (await store.log("match", 0))[1] == [b"one", b"two"]


async def test_a_step_asks_once_and_only_when_it_is_made(store: Store) -> None:
    line = store.turns(THINKING, "worker")
    await line.begin()
    await begin(store)
    step = Step(2, 3, b"state", b"progress", [b"three"], turns=[TURN._replace(asked=3)])
    await store.commit("match", step)
    with pytest.raises(LostRace):
        await store.commit("match", step)
    assert [taken.turn.asked for taken in await line.take(9)] == [3]
    assert (await store.log("match", 0))[1] == [b"one", b"two", b"three"]


async def test_turns_that_waited_for_a_first_worker_are_taken_by_one(store: Store) -> None:
    await begin(store, TURN, TURN._replace(seat=0))
    one, other = store.turns(THINKING, "one"), store.turns(THINKING, "other")
    await asyncio.gather(one.begin(), other.begin())
    taken = await asyncio.gather(one.take(1), other.take(1))
    assert sorted(each.turn.seat for hand in taken for each in hand) == [0, 1]
    assert [len(hand) for hand in taken] == [1, 1]


async def test_a_turn_that_is_done_is_gone(store: Store, redis: Redis) -> None:
    line = store.turns(THINKING, "worker")
    await line.begin()
    await begin(store, TURN)
    (taken,) = await line.take(9)
    await line.done(taken)
    assert await redis.xlen(THINKING) == 0
    assert (await redis.xpending(THINKING, GROUP))["pending"] == 0
    await line.leave()
    assert await redis.xinfo_consumers(THINKING, GROUP) == []


async def test_a_turn_is_taken_over_from_a_worker_that_is_silent(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "TAKEOVER_MS", 200)
    silent, quick = store.turns(THINKING, "silent"), store.turns(THINKING, "quick")
    await silent.begin()
    await begin(store, TURN)
    taken = await silent.take(9)
    for _ in range(4):
        await asyncio.sleep(0.1)
        await silent.keep(taken)
        assert await quick.take_over(9) == []
    await asyncio.sleep(0.25)
    assert await quick.take_over(9) == taken


async def test_turns_that_nobody_can_play_keep_none_from_being_taken_over(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "TAKEOVER_MS", 30)
    silent, quick = store.turns(THINKING, "silent"), store.turns(THINKING, "quick")
    await silent.begin()
    asked = [TURN._replace(seat=seat) for seat in range(3)]
    await begin(store, *asked)
    assert len(await silent.take(9)) == 3
    seen = set()
    for _ in range(6):
        await asyncio.sleep(0.05)  # after which each of them may be taken over again
        seen.update([taken.turn for taken in await quick.take_over(1)])
    assert seen == set(asked)


async def test_a_line_that_was_lost_is_begun_again(store: Store, redis: Redis) -> None:
    line = store.turns(THINKING, "worker")
    await line.begin()
    await redis.flushdb()
    await begin(store, TURN)
    assert await line.take(9) == []
    assert [taken.turn for taken in await line.take(9)] == [TURN]


async def test_a_line_without_workers_is_cut(redis: Redis, store: Store) -> None:
    """At 200,000 turns: the limit of the script, lowered here."""
    store._commit = Script(store._commit.text.replace("200000", "100"))  # type: ignore[misc]
    await begin(store)
    for revision in range(2, 502):
        asked = [TURN._replace(asked=revision + 1)]
        await store.commit("match", Step(revision, revision + 1, b"", b"", [b"line"], turns=asked))
    assert 100 <= await redis.xlen(THINKING) <= 300
