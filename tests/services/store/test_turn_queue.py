"""The queues of turns, embedded and on a real Redis."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from fakeredis import FakeAsyncRedis, FakeServer
from redis.asyncio import Redis

from services.bots.costs import QUICK_QUEUE, REMOTE_QUEUE, THINKING_QUEUE
from services.store import turn_queue
from services.store.match_store import Store
from services.store.scripts import Script
from services.store.steps import LostRace, Step
from services.store.turn_queue import HostedTurn, TurnQueue
from tests.services.store.test_match_store import DAY
from tests.services.stores import store_on

TURN = HostedTurn("fire_bulls@1", "match", 1, 2, "mcts:iterations=200")


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


async def begin(store: Store, *asked: HostedTurn) -> None:
    assert await store.create("match", b"header", b"state", b"progress", [b"one", b"two"], hosted_turns=asked)


KEYS = [
    f"{queue}{part}"
    for queue in (QUICK_QUEUE, THINKING_QUEUE, REMOTE_QUEUE)
    for part in ("", ":taken", ":shares", ":bell")
]


@pytest.mark.parametrize("caller", ["", "0123456789abcdef"])
@pytest.mark.parametrize("bot", ["random", "mcts:iterations=200,exploration=1.4", "https://bots.example/a%20b"])
def test_a_turn_that_is_written_is_read(bot: str, caller: str) -> None:
    turn = TURN._replace(bot=bot, caller=caller)
    assert HostedTurn.parse(turn.text()) == turn


async def test_fault13_a_turn_that_another_release_has_queued_at_another_cost_is_let_go_for_good(
    redis: Redis, store: Store
) -> None:
    written = TURN.text().replace(" 81 ", " 7 ")
    assert written != TURN.text()
    await redis.zadd(THINKING_QUEUE, {written: 0})
    queue = store.turn_queue(THINKING_QUEUE)
    [turn] = await queue.claim(1)
    assert turn == TURN
    await queue.renew([turn])
    assert await redis.zrange(f"{THINKING_QUEUE}:taken", 0, -1) == [written.encode()]  # and nothing else
    await queue.done(turn)
    assert not await redis.exists(THINKING_QUEUE, f"{THINKING_QUEUE}:taken")


@pytest.mark.parametrize(
    ("bot", "queue"),
    [
        ("random", QUICK_QUEUE),
        ("greedy", QUICK_QUEUE),
        ("mcts:iterations=100", QUICK_QUEUE),
        ("greedy:samples=100", THINKING_QUEUE),
        ("mcts", THINKING_QUEUE),
        ("mcts:milliseconds=1000", THINKING_QUEUE),
        ("grpcs", THINKING_QUEUE),
        ("grpc:host:1", REMOTE_QUEUE),
        ("http://host/", REMOTE_QUEUE),
        ("https://host/", REMOTE_QUEUE),
    ],
)
def test_quick_thinking_and_remote_bots_have_queues_of_their_own(bot: str, queue: str) -> None:
    assert TURN._replace(bot=bot).queue == queue


async def test_a_match_that_begins_asks_its_hosted_seats(store: Store) -> None:
    asked = [TURN, TURN._replace(seat=0, bot="grpc:host:1")]
    await begin(store, *asked)
    assert [
        turn for queue in (THINKING_QUEUE, REMOTE_QUEUE) for turn in await store.turn_queue(queue).claim(9)
    ] == asked
    assert (await store.read_log("match", 0))[1] == [b"one", b"two"]


async def test_a_step_asks_once_and_only_when_it_is_made(store: Store) -> None:
    await begin(store)
    step = Step(2, 3, b"state", b"progress", [b"three"], hosted_turns=[TURN._replace(revision=3)])
    await store.commit("match", step)
    with pytest.raises(LostRace):
        await store.commit("match", step)
    assert [turn.revision for turn in await store.turn_queue(THINKING_QUEUE).claim(9)] == [3]
    assert (await store.read_log("match", 0))[1] == [b"one", b"two", b"three"]


async def test_each_turn_is_taken_by_one_worker(store: Store) -> None:
    await begin(store, TURN, TURN._replace(seat=0))
    taken = await asyncio.gather(store.turn_queue(THINKING_QUEUE).claim(1), store.turn_queue(THINKING_QUEUE).claim(1))
    assert sorted(turn.seat for hand in taken for turn in hand) == [0, 1]
    assert await store.turn_queue(THINKING_QUEUE).claim(1) == []


async def test_a_turn_that_is_done_is_gone(store: Store, redis: Redis) -> None:
    queue = store.turn_queue(THINKING_QUEUE)
    await begin(store, TURN)
    (turn,) = await queue.claim(9)
    await queue.done(turn)
    assert await redis.zcard(f"{THINKING_QUEUE}:taken") == 0
    assert await queue.claim(9) == []


async def test_who_waits_hears_of_a_turn(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    queue = store.turn_queue(THINKING_QUEUE)
    assert not await queue.wait()
    monkeypatch.setattr(turn_queue, "WAIT_SECONDS", 2.5)
    waiting = asyncio.ensure_future(queue.wait())
    await begin(store, TURN)
    assert await waiting
    await queue.claim(9)
    await queue.wake_another_worker()
    assert await queue.wait()


async def test_a_turn_is_taken_over_from_a_worker_that_is_silent(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_queue, "TAKEOVER_MS", 400)
    silent, quick = store.turn_queue(THINKING_QUEUE), store.turn_queue(THINKING_QUEUE)
    await begin(store, TURN)
    taken = await silent.claim(9)
    for _ in range(4):
        await asyncio.sleep(0.1)
        await silent.renew(taken)
        assert await quick.claim(9) == []
    await asyncio.sleep(0.45)
    assert await quick.claim(9) == taken


async def test_turns_that_nobody_can_play_keep_none_from_being_taken_over(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn_queue, "TAKEOVER_MS", 30)
    queue = store.turn_queue(THINKING_QUEUE)
    asked = [TURN._replace(seat=seat) for seat in range(3)]
    await begin(store, *asked)
    assert len(await queue.claim(9)) == 3
    seen = set()
    for _ in range(6):
        await asyncio.sleep(0.05)  # after which each of them may be taken over again
        seen.update(await queue.claim(1))
    assert seen == set(asked)


async def taken_one_by_one(queue: TurnQueue, number: int) -> list[str]:
    """The callers of the next turns."""
    return [turn.caller for _ in range(number) for turn in await queue.claim(1)]


async def test_fault06_a_caller_with_many_matches_leaves_others_their_share(store: Store) -> None:
    many = [TURN._replace(seat=seat, caller="many") for seat in range(600)]
    await begin(store, *many, TURN._replace(caller="few"), TURN._replace(seat=0, caller="few"))
    queue = store.turn_queue(THINKING_QUEUE)
    assert sorted(await taken_one_by_one(queue, 4)) == ["few", "few", "many", "many"]
    step = Step(2, 3, b"state", b"progress", [b"three"], hosted_turns=[TURN._replace(revision=3, caller="late")])
    await store.commit("match", step)
    assert "late" in await taken_one_by_one(queue, 2)


async def test_fault06_who_costs_more_has_fewer_turns(store: Store) -> None:
    slow = TURN._replace(bot="mcts:milliseconds=1000", caller="slow")
    quick = TURN._replace(bot="mcts:milliseconds=100", caller="quick")
    await begin(store, *[turn._replace(seat=seat) for seat in range(20) for turn in (slow, quick)])
    assert (await taken_one_by_one(store.turn_queue(THINKING_QUEUE), 11)).count("slow") in (1, 2)


async def test_fault06_matches_without_a_known_caller_are_each_their_own(store: Store) -> None:
    owed = [TURN._replace(match_id=match, seat=seat) for match in ("one", "other") for seat in range(3)]
    await begin(store, *owed)
    first = await store.turn_queue(THINKING_QUEUE).claim(2)
    assert {turn.match_id for turn in first} == {"one", "other"}


async def test_fault06_turns_of_a_server_that_is_asked_enough_are_left_for_later(store: Store) -> None:
    slow = [TURN._replace(seat=seat, bot=f"https://slow.example/{seat}") for seat in range(40)]
    other = TURN._replace(bot="grpc:other:1")
    await begin(store, *slow, other)
    queue = store.turn_queue(REMOTE_QUEUE)
    assert await queue.claim(9, [slow[0].server]) == [other]
    assert len(await queue.claim(99)) == 40


async def test_shares_of_callers_that_wait_for_nothing_are_forgotten(store: Store, redis: Redis) -> None:
    for number in range(50):
        assert await store.create(
            f"match{number}", b"", b"", b"", [], hosted_turns=[TURN._replace(match_id=f"match{number}", bot="random")]
        )
        assert len(await store.turn_queue(QUICK_QUEUE).claim(9)) == 1
    assert await redis.zcard(f"{QUICK_QUEUE}:shares") < 5


LOSSES: list[Callable[[Redis], Awaitable[object]]] = [
    lambda redis: redis.delete(*KEYS),
    lambda redis: redis.delete(THINKING_QUEUE),
    lambda redis: redis.delete(f"{THINKING_QUEUE}:shares"),
    lambda redis: redis.rename(THINKING_QUEUE, "elsewhere"),
    lambda redis: redis.zremrangebyrank(THINKING_QUEUE, 0, -1),
    *[lambda redis, key=key: redis.set(key, "of another type") for key in KEYS],
]


@pytest.mark.parametrize("lose", LOSSES)
async def test_fault13_turns_that_were_lost_are_owed_by_their_match(
    store: Store, redis: Redis, lose: Callable[[Redis], Awaitable[object]]
) -> None:
    owed = [TURN, TURN._replace(seat=0, bot="random"), TURN._replace(seat=0, bot="grpc:host:1")]
    await begin(store, *owed)
    await redis.set("fireside:match:{no match}", "of another type")
    await lose(redis)
    for _ in range(2):
        assert await store.restore_turns("0", 1000) == "0"
        found = [
            turn
            for queue in (THINKING_QUEUE, QUICK_QUEUE, REMOTE_QUEUE)
            for turn in await store.turn_queue(queue).claim(9)
        ]
        assert found in (owed, [])  # once: what is taken is not queued again
    assert sum([await redis.zcard(f"{queue}:taken") for queue in (THINKING_QUEUE, QUICK_QUEUE, REMOTE_QUEUE)]) == 3


@pytest.mark.parametrize("lose", LOSSES)
async def test_fault13_the_next_step_and_each_operation_heal_a_queue(
    store: Store, redis: Redis, lose: Callable[[Redis], Awaitable[object]]
) -> None:
    await begin(store, TURN)
    queue = store.turn_queue(THINKING_QUEUE)
    taken = await queue.claim(9)
    await begin_another(store)
    await lose(redis)
    await queue.wait()
    await queue.renew(taken)
    await queue.done(taken[0])
    await queue.wake_another_worker()
    later = TURN._replace(revision=3)
    owed = [later, later._replace(seat=0, bot="random"), TURN._replace(bot="grpc:host:1")]
    await store.commit("match", Step(2, 3, b"state", b"progress", [b"three"], hosted_turns=owed))
    for each in owed:
        assert each in await store.turn_queue(each.queue).claim(9)
    assert (await store.read_log("match", 0))[0].revision == 3


async def begin_another(store: Store) -> None:
    """A match whose turns wait."""
    turn_queue = [TURN._replace(match_id="another"), TURN._replace(match_id="another", bot="random")]
    assert await store.create("another", b"header", b"state", b"progress", [b"one"], hosted_turns=turn_queue)


async def test_fault13_a_worker_that_waits_while_its_queue_is_lost_hears_of_the_next_turn(
    store: Store, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn_queue, "WAIT_SECONDS", 2.5)
    waiting = asyncio.ensure_future(store.turn_queue(THINKING_QUEUE).wait())
    await asyncio.sleep(0.1)
    await redis.flushdb()
    await redis.set(f"{THINKING_QUEUE}:bell", "of another type")
    await begin(store, TURN)
    assert await waiting
    assert await store.turn_queue(THINKING_QUEUE).claim(9) == [TURN]


async def test_a_queue_without_workers_is_cut(redis: Redis, store: Store) -> None:
    """At 200,000 turns: the limit of the script, lowered here."""
    store._commit = Script(store._commit.text.replace("200000", "100"))  # type: ignore[misc]
    await begin(store)
    for revision in range(2, 302):
        asked = [TURN._replace(revision=revision + 1)]
        await store.commit("match", Step(revision, revision + 1, b"", b"", [b"line"], hosted_turns=asked))
    assert await redis.zcard(THINKING_QUEUE) == 100
