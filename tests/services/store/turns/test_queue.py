"""Queues of turns of hosted bots, embedded and on a real Redis: fair shares, lost turns and takeover."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from fakeredis import FakeAsyncRedis, FakeServer
from redis.asyncio import Redis

from services.bots.costs import QUICK_QUEUE, REMOTE_QUEUE, THINKING_QUEUE
from services.store.keys import match_keys
from services.store.matches.steps import LostRace, Step
from services.store.matches.store import Store
from services.store.scripts import Script
from services.store.turns import queue as turn_queue
from services.store.turns.queue import HostedTurn, TurnQueue
from tests.redis_clients import redis_at
from tests.services.store.matches.test_store import DAY_SECONDS
from tests.services.store.stores import store_on

HOSTED_TURN = HostedTurn("fire_bulls@1", "match", 1, 2, "mcts:iterations=200")


@pytest.fixture
async def redis(store_url: str) -> AsyncIterator[Redis]:
    redis = redis_at(store_url) if store_url else FakeAsyncRedis(server=FakeServer())
    await redis.flushdb()
    yield redis
    await redis.aclose()


@pytest.fixture
async def store(redis: Redis, store_url: str) -> AsyncIterator[Store]:
    store = store_on(redis, store_url, DAY_SECONDS)
    yield store
    await store.close()


async def create_match_with_turns(store: Store, *hosted_turns: HostedTurn) -> None:
    assert await store.create("match", b"header", b"state", b"progress", [b"one", b"two"], hosted_turns=hosted_turns)


QUEUE_KEYS = [
    f"{queue}{part}"
    for queue in (QUICK_QUEUE, THINKING_QUEUE, REMOTE_QUEUE)
    for part in ("", ":taken", ":shares", ":bell")
]


@pytest.mark.parametrize("caller", ["", "0123456789abcdef"])
@pytest.mark.parametrize("bot", ["random", "mcts:iterations=200,exploration=1.4", "https://bots.example/a%20b"])
def test_a_turn_round_trips(bot: str, caller: str) -> None:
    turn = HOSTED_TURN._replace(bot=bot, caller=caller)
    assert HostedTurn.parse(turn.text()) == turn


async def test_fault13_a_turn_queued_by_another_release_at_another_cost_is_removed(redis: Redis, store: Store) -> None:
    written = HOSTED_TURN.text().replace(" 81 ", " 7 ")
    assert written != HOSTED_TURN.text()
    await redis.zadd(THINKING_QUEUE, {written: 0})
    queue = store.turn_queue(THINKING_QUEUE)
    [turn] = await queue.claim(1)
    assert turn == HOSTED_TURN
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
def test_fast_slow_and_remote_bots_have_separate_queues(bot: str, queue: str) -> None:
    assert HOSTED_TURN._replace(bot=bot).queue == queue


async def test_a_new_match_queues_the_turns_of_its_hosted_seats(store: Store) -> None:
    hosted_turns = [HOSTED_TURN, HOSTED_TURN._replace(seat=0, bot="grpc:host:1")]
    await create_match_with_turns(store, *hosted_turns)
    assert [
        turn for queue in (THINKING_QUEUE, REMOTE_QUEUE) for turn in await store.turn_queue(queue).claim(9)
    ] == hosted_turns
    assert (await store.read_log("match", 0))[1] == [b"one", b"two"]


async def test_a_step_queues_turns_once_and_only_if_it_is_made(store: Store) -> None:
    await create_match_with_turns(store)
    step = Step(2, 3, b"state", b"progress", [b"three"], hosted_turns=[HOSTED_TURN._replace(revision=3)])
    await store.commit("match", step)
    with pytest.raises(LostRace):
        await store.commit("match", step)
    assert [turn.revision for turn in await store.turn_queue(THINKING_QUEUE).claim(9)] == [3]
    assert (await store.read_log("match", 0))[1] == [b"one", b"two", b"three"]


async def test_each_turn_is_taken_by_one_worker(store: Store) -> None:
    await create_match_with_turns(store, HOSTED_TURN, HOSTED_TURN._replace(seat=0))
    taken = await asyncio.gather(store.turn_queue(THINKING_QUEUE).claim(1), store.turn_queue(THINKING_QUEUE).claim(1))
    assert sorted(turn.seat for hand in taken for turn in hand) == [0, 1]
    assert await store.turn_queue(THINKING_QUEUE).claim(1) == []


async def test_a_finished_turn_is_removed(store: Store, redis: Redis) -> None:
    queue = store.turn_queue(THINKING_QUEUE)
    await create_match_with_turns(store, HOSTED_TURN)
    (turn,) = await queue.claim(9)
    await queue.done(turn)
    assert await redis.zcard(f"{THINKING_QUEUE}:taken") == 0
    assert await queue.claim(9) == []


async def test_a_waiting_worker_is_notified_of_a_turn(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    queue = store.turn_queue(THINKING_QUEUE)
    assert not await queue.wait()
    monkeypatch.setattr(turn_queue, "WAIT_SECONDS", 2.5)
    waiting = asyncio.ensure_future(queue.wait())
    await create_match_with_turns(store, HOSTED_TURN)
    assert await waiting
    await queue.claim(9)
    await queue.wake_another_worker()
    assert await queue.wait()


async def test_a_turn_of_a_lost_worker_is_taken_over(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_queue, "TAKEOVER_MS", 400)
    silent, quick = store.turn_queue(THINKING_QUEUE), store.turn_queue(THINKING_QUEUE)
    await create_match_with_turns(store, HOSTED_TURN)
    taken = await silent.claim(9)
    for _ in range(4):
        await asyncio.sleep(0.1)
        await silent.renew(taken)
        assert await quick.claim(9) == []
    await asyncio.sleep(0.45)
    assert await quick.claim(9) == taken


async def test_unplayable_turns_do_not_stop_others_from_being_taken_over(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn_queue, "TAKEOVER_MS", 30)
    queue = store.turn_queue(THINKING_QUEUE)
    hosted_turns = [HOSTED_TURN._replace(seat=seat) for seat in range(3)]
    await create_match_with_turns(store, *hosted_turns)
    assert len(await queue.claim(9)) == 3
    seen = set()
    for _ in range(6):
        await asyncio.sleep(0.05)  # after which each of them may be taken over again
        seen.update(await queue.claim(1))
    assert seen == set(hosted_turns)


async def taken_one_by_one(queue: TurnQueue, number: int) -> list[str]:
    """The callers of the next turns."""
    return [turn.caller for _ in range(number) for turn in await queue.claim(1)]


async def test_fault06_a_caller_with_many_matches_leaves_others_their_share(store: Store) -> None:
    many = [HOSTED_TURN._replace(seat=seat, caller="many") for seat in range(600)]
    await create_match_with_turns(
        store, *many, HOSTED_TURN._replace(caller="few"), HOSTED_TURN._replace(seat=0, caller="few")
    )
    queue = store.turn_queue(THINKING_QUEUE)
    assert sorted(await taken_one_by_one(queue, 4)) == ["few", "few", "many", "many"]
    step = Step(2, 3, b"state", b"progress", [b"three"], hosted_turns=[HOSTED_TURN._replace(revision=3, caller="late")])
    await store.commit("match", step)
    assert "late" in await taken_one_by_one(queue, 2)


async def test_fault06_a_caller_with_costly_bots_gets_fewer_turns(store: Store) -> None:
    slow = HOSTED_TURN._replace(bot="mcts:milliseconds=1000", caller="slow")
    quick = HOSTED_TURN._replace(bot="mcts:milliseconds=100", caller="quick")
    await create_match_with_turns(store, *[turn._replace(seat=seat) for seat in range(20) for turn in (slow, quick)])
    assert (await taken_one_by_one(store.turn_queue(THINKING_QUEUE), 11)).count("slow") in (1, 2)


async def test_fault06_matches_without_a_known_caller_have_separate_shares(store: Store) -> None:
    owed = [HOSTED_TURN._replace(match_id=match, seat=seat) for match in ("one", "other") for seat in range(3)]
    await create_match_with_turns(store, *owed)
    first = await store.turn_queue(THINKING_QUEUE).claim(2)
    assert {turn.match_id for turn in first} == {"one", "other"}


async def test_fault06_turns_of_a_server_at_its_call_limit_are_postponed(store: Store) -> None:
    slow = [HOSTED_TURN._replace(seat=seat, bot=f"https://slow.example/{seat}") for seat in range(40)]
    other = HOSTED_TURN._replace(bot="grpc:other:1")
    await create_match_with_turns(store, *slow, other)
    queue = store.turn_queue(REMOTE_QUEUE)
    assert await queue.claim(9, [slow[0].server]) == [other]
    assert len(await queue.claim(99)) == 40


async def test_shares_of_callers_without_turns_are_removed(store: Store, redis: Redis) -> None:
    for number in range(50):
        assert await store.create(
            f"match{number}",
            b"",
            b"",
            b"",
            [],
            hosted_turns=[HOSTED_TURN._replace(match_id=f"match{number}", bot="random")],
        )
        assert len(await store.turn_queue(QUICK_QUEUE).claim(9)) == 1
    assert await redis.zcard(f"{QUICK_QUEUE}:shares") < 5


WAYS_TO_LOSE_QUEUES: list[Callable[[Redis], Awaitable[object]]] = [
    lambda redis: redis.delete(*QUEUE_KEYS),
    lambda redis: redis.delete(THINKING_QUEUE),
    lambda redis: redis.delete(f"{THINKING_QUEUE}:shares"),
    lambda redis: redis.rename(THINKING_QUEUE, f"{THINKING_QUEUE}:elsewhere"),
    lambda redis: redis.zremrangebyrank(THINKING_QUEUE, 0, -1),
    *[lambda redis, key=key: redis.set(key, "of another type") for key in QUEUE_KEYS],
]


async def restore_all(store: Store) -> None:
    """Queue all lost turns again: one Redis needs one scan, a cluster one for each primary."""
    cursor = "0"
    for _ in range(3):
        if (cursor := await store.restore_turns(cursor, 1000)) == "0":
            return
    raise AssertionError("a scan does not end")


@pytest.mark.parametrize("lose", WAYS_TO_LOSE_QUEUES)
async def test_fault13_lost_turns_are_found_from_their_match(
    store: Store, redis: Redis, lose: Callable[[Redis], Awaitable[object]]
) -> None:
    owed = [HOSTED_TURN, HOSTED_TURN._replace(seat=0, bot="random"), HOSTED_TURN._replace(seat=0, bot="grpc:host:1")]
    await create_match_with_turns(store, *owed)
    await redis.set(match_keys("none")[0], "of another type")
    await lose(redis)
    for _ in range(2):
        await restore_all(store)
        found = [
            turn
            for queue in (THINKING_QUEUE, QUICK_QUEUE, REMOTE_QUEUE)
            for turn in await store.turn_queue(queue).claim(9)
        ]
        assert found in (owed, [])  # once: what is taken is not queued again
    assert sum([await redis.zcard(f"{queue}:taken") for queue in (THINKING_QUEUE, QUICK_QUEUE, REMOTE_QUEUE)]) == 3


@pytest.mark.parametrize("lose", WAYS_TO_LOSE_QUEUES)
async def test_fault13_the_next_step_and_each_operation_repair_a_queue(
    store: Store, redis: Redis, lose: Callable[[Redis], Awaitable[object]]
) -> None:
    await create_match_with_turns(store, HOSTED_TURN)
    queue = store.turn_queue(THINKING_QUEUE)
    taken = await queue.claim(9)
    await begin_another(store)
    await lose(redis)
    await queue.wait()
    await queue.renew(taken)
    await queue.done(taken[0])
    await queue.wake_another_worker()
    later = HOSTED_TURN._replace(revision=3)
    owed = [later, later._replace(seat=0, bot="random"), HOSTED_TURN._replace(bot="grpc:host:1")]
    await store.commit("match", Step(2, 3, b"state", b"progress", [b"three"], hosted_turns=owed))
    for each in owed:
        assert each in await store.turn_queue(each.queue).claim(9)
    assert (await store.read_log("match", 0))[0].revision == 3


async def begin_another(store: Store) -> None:
    """A match whose turns wait."""
    turn_queue = [HOSTED_TURN._replace(match_id="another"), HOSTED_TURN._replace(match_id="another", bot="random")]
    assert await store.create("another", b"header", b"state", b"progress", [b"one"], hosted_turns=turn_queue)


async def test_fault13_a_worker_waiting_on_a_lost_queue_gets_the_next_turn(
    store: Store, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn_queue, "WAIT_SECONDS", 2.5)
    waiting = asyncio.ensure_future(store.turn_queue(THINKING_QUEUE).wait())
    await asyncio.sleep(0.1)
    await redis.flushdb()
    await redis.set(f"{THINKING_QUEUE}:bell", "of another type")
    await create_match_with_turns(store, HOSTED_TURN)
    assert await waiting
    assert await store.turn_queue(THINKING_QUEUE).claim(9) == [HOSTED_TURN]


async def test_a_queue_without_workers_is_trimmed(redis: Redis, store: Store) -> None:
    """At 200,000 turns: the limit of the script, lowered here."""
    outbox = store.outbox
    outbox._put_turns = Script(outbox._put_turns.text.replace("200000", "100"))  # type: ignore[misc]
    await create_match_with_turns(store)
    for revision in range(2, 302):
        hosted_turns = [HOSTED_TURN._replace(revision=revision + 1)]
        await store.commit("match", Step(revision, revision + 1, b"", b"", [b"line"], hosted_turns=hosted_turns))
    assert await redis.zcard(THINKING_QUEUE) == 100
