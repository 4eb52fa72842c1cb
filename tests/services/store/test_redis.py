"""The connection to Redis that all calls share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from redis.asyncio import Redis

from runtime.redis_url import parsed
from services.store import redis as pipes
from services.store.redis import Pipe, Refused, Silent, Subscription, Unreachable
from tests.redis_server import free_port, redis_server


@pytest.fixture
async def pipe(redis_url: str) -> AsyncIterator[Pipe]:
    pipe = Pipe(parsed(redis_url))
    yield pipe
    await pipe.close()


async def test_each_of_many_has_its_own_answer(pipe: Pipe) -> None:
    answers = await asyncio.gather(*[pipe.ask("ECHO", number) for number in range(2000)])
    assert answers == [b"%d" % number for number in range(2000)]
    assert pipe.waiting == 0


async def test_those_who_give_up_leave_the_others_their_answers(pipe: Pipe) -> None:
    random = Random(0)

    async def one(number: int) -> None:
        asking = asyncio.ensure_future(pipe.ask("ECHO", number))
        for _ in range(random.randrange(12)):
            await asyncio.sleep(0)
        if random.random() < 0.5:
            asking.cancel()
        with suppress(asyncio.CancelledError):
            assert await asking == b"%d" % number

    await asyncio.gather(*[one(number) for number in range(2000)])
    assert await pipe.ask("ECHO", "last") == b"last"
    assert pipe.waiting == 0


async def test_what_was_asked_is_done_although_its_caller_gave_up(pipe: Pipe) -> None:
    await pipe.ask("DEL", "pipe:count")
    asking = [asyncio.ensure_future(pipe.ask("INCR", "pipe:count")) for _ in range(10)]
    await asyncio.sleep(0)
    for each in asking:
        each.cancel()
    assert await pipe.ask("GET", "pipe:count") == b"10"


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("EVALSHA", "0" * 40, 0), "NOSCRIPT"),
        (("NOTHING",), "ERR"),
        (("EVAL", "return redis.error_reply('OOM no room')", 0), "OOM"),
        (("EVAL", "return redis.error_reply('READONLY a replica')", 0), "READONLY"),
    ],
)
async def test_an_error_is_told_to_its_caller_alone(pipe: Pipe, words: tuple[str | int, ...], kind: str) -> None:
    first, refusal, last = await asyncio.gather(
        pipe.ask("ECHO", 1), pipe.ask(*words), pipe.ask("ECHO", 2), return_exceptions=True
    )
    assert isinstance(refusal, Refused)
    assert (first, refusal.kind, last) == (b"1", kind, b"2")


async def test_a_connection_that_is_cut_is_made_again_and_nothing_is_asked_twice(pipe: Pipe, redis_url: str) -> None:
    number = await pipe.ask("CLIENT", "ID")
    assert isinstance(number, int)
    async with Redis.from_url(redis_url) as redis:
        await redis.delete("pipe:count")
        waiting = asyncio.ensure_future(pipe.ask("BLPOP", "pipe:nothing", 0))
        await asyncio.sleep(0.1)
        await redis.client_kill_filter(_id=str(number))
        with pytest.raises(Unreachable):
            await waiting
        assert await pipe.ask("INCR", "pipe:count") == 1


async def test_a_redis_that_does_not_answer_is_given_up(pipe: Pipe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipes, "ANSWER_SECONDS", 0.3)
    asked = [pipe.ask("BLPOP", "pipe:nothing", 0), pipe.ask("ECHO", 1)]
    async with asyncio.timeout(10):
        answers = await asyncio.gather(*asked, return_exceptions=True)
    assert [type(answer) for answer in answers] == [Silent] * 2
    assert await pipe.ask("ECHO", 2) == b"2"


async def test_nobody_listens() -> None:
    pipe = Pipe(parsed(f"redis://127.0.0.1:{free_port()}/0"))
    answers = await asyncio.gather(*[pipe.ask("ECHO", 1) for _ in range(5)], return_exceptions=True)
    assert all(isinstance(answer, Unreachable) for answer in answers)
    assert [answer.kind for answer in answers if isinstance(answer, Unreachable)] == ["ConnectionRefusedError"] * 5
    await pipe.close()


async def test_the_password_and_the_database_of_the_address_are_used(tmp_path: Path) -> None:
    with redis_server(tmp_path) as url:
        async with Redis.from_url(url) as redis:
            await redis.config_set("requirepass", "secret")
        address = url.rpartition("/")[0].replace("redis://", "redis://:secret@")
        first, second = [Pipe(parsed(f"{address}/{number}")) for number in (0, 3)]
        stranger = Pipe(parsed(url))
        await second.ask("SET", "key", "there")
        assert (await first.ask("GET", "key"), await second.ask("GET", "key")) == (None, b"there")
        with pytest.raises(Refused, match="NOAUTH"):
            await stranger.ask("GET", "key")
        for pipe in (first, second, stranger):
            await pipe.close()


class Ear:
    """Remembers what it hears."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, bytes, bytes]] = []
        self.news = asyncio.Event()

    def __call__(self, kind: str, channel: bytes, data: bytes) -> None:
        self.heard.append((kind, channel, data))
        self.news.set()

    async def until(self, count: int) -> None:
        async with asyncio.timeout(10):
            while len(self.heard) < count:
                self.news.clear()
                await self.news.wait()


async def test_what_is_published_is_heard_on_the_channels_that_were_named(pipe: Pipe, redis_url: str) -> None:
    ear = Ear()
    subscription = await Subscription.opened(parsed(redis_url), ear)
    await subscription.hear(["one", "two"])
    await ear.until(2)
    assert ear.heard == [("subscribe", b"one", b""), ("subscribe", b"two", b"")]
    await subscription.ignore(["two"])
    await ear.until(3)
    for channel, said in (("two", "unheard"), ("one", "heard")):
        await pipe.ask("PUBLISH", channel, said)
    await ear.until(4)
    assert ear.heard[2:] == [("unsubscribe", b"two", b""), ("message", b"one", b"heard")]
    await subscription.close()


async def test_a_silent_subscription_is_asked_whether_it_stands(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipes, "SILENCE_SECONDS", 0.1)
    subscription = await Subscription.opened(parsed(redis_url), Ear())
    await subscription.hear(["one"])
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(subscription.lost(), 1)
    async with Redis.from_url(redis_url) as redis:
        await redis.client_pause(3000, all=True)
        async with asyncio.timeout(2):
            with pytest.raises(Unreachable, match="no answer to a ping"):
                await subscription.lost()
        await redis.client_unpause()


async def test_a_subscription_that_is_cut_says_so(redis_url: str) -> None:
    subscription = await Subscription.opened(parsed(redis_url), Ear())
    await subscription.hear(["one"])
    async with Redis.from_url(redis_url) as redis:
        losing = asyncio.ensure_future(subscription.lost())
        await asyncio.sleep(0.1)
        await redis.client_kill_filter(_type="pubsub")
        with pytest.raises(Unreachable):
            await losing
