"""Auto-pipelining Redis connection and subscriptions, on a real Redis."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from redis.asyncio import Redis

from runtime import redis_url as urls
from services.store import redis as connections
from services.store.redis import (
    ANSWER_SECONDS,
    CONNECT_SECONDS,
    ConnectionLost,
    RedisConnection,
    ResponseError,
    Subscription,
    Timeout,
)
from tests.redis_server import free_port, redis_server


def redis_client(url: str) -> Redis:
    return urls.client(url, CONNECT_SECONDS, ANSWER_SECONDS)


@pytest.fixture
async def redis(single_redis_url: str) -> AsyncIterator[Redis]:
    async with redis_client(single_redis_url) as redis:
        yield redis


@pytest.fixture
async def connection(redis: Redis) -> AsyncIterator[RedisConnection]:
    connection = RedisConnection.of(redis)
    yield connection
    await connection.close()


async def test_each_concurrent_command_gets_its_own_reply(connection: RedisConnection) -> None:
    answers = await asyncio.gather(*[connection.execute("ECHO", number) for number in range(2000)])
    assert answers == [b"%d" % number for number in range(2000)]
    assert connection.pending_replies == 0


async def test_cancelled_callers_leave_the_replies_of_others_unchanged(connection: RedisConnection) -> None:
    random = Random(0)

    async def one(number: int) -> None:
        asking = asyncio.ensure_future(connection.execute("ECHO", number))
        for _ in range(random.randrange(12)):
            await asyncio.sleep(0)
        if random.random() < 0.5:
            asking.cancel()
        with suppress(asyncio.CancelledError):
            assert await asking == b"%d" % number

    await asyncio.gather(*[one(number) for number in range(2000)])
    assert await connection.execute("ECHO", "last") == b"last"
    assert connection.pending_replies == 0


async def test_a_command_is_executed_even_if_its_caller_is_cancelled(connection: RedisConnection) -> None:
    await connection.execute("DEL", "test:count")
    asking = [asyncio.ensure_future(connection.execute("INCR", "test:count")) for _ in range(10)]
    await asyncio.sleep(0)
    for each in asking:
        each.cancel()
    assert await connection.execute("GET", "test:count") == b"10"


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("EVALSHA", "0" * 40, 0), "NOSCRIPT"),
        (("NOTHING",), "ERR"),
        (("EVAL", "return redis.error_reply('OOM no room')", 0), "OOM"),
        (("EVAL", "return redis.error_reply('READONLY a replica')", 0), "READONLY"),
    ],
)
async def test_an_error_reply_is_raised_only_to_its_caller(
    connection: RedisConnection, words: tuple[str | int, ...], kind: str
) -> None:
    first, refusal, last = await asyncio.gather(
        connection.execute("ECHO", 1), connection.execute(*words), connection.execute("ECHO", 2), return_exceptions=True
    )
    assert isinstance(refusal, ResponseError)
    assert (first, refusal.kind, last) == (b"1", kind, b"2")


async def test_a_lost_connection_is_reopened_and_no_command_is_sent_twice(
    connection: RedisConnection, single_redis_url: str
) -> None:
    number = await connection.execute("CLIENT", "ID")
    assert isinstance(number, int)
    async with Redis.from_url(single_redis_url) as redis:
        await redis.delete("test:count")
        waiting = asyncio.ensure_future(connection.execute("BLPOP", "test:nothing", 0))
        await asyncio.sleep(0.1)
        await redis.client_kill_filter(_id=str(number))
        with pytest.raises(ConnectionLost):
            await waiting
        assert await connection.execute("INCR", "test:count") == 1


async def test_a_redis_that_does_not_reply_times_out(
    connection: RedisConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "ANSWER_SECONDS", 0.3)
    replies = [connection.execute("BLPOP", "test:nothing", 0), connection.execute("ECHO", 1)]
    async with asyncio.timeout(10):
        answers = await asyncio.gather(*replies, return_exceptions=True)
    assert [type(answer) for answer in answers] == [Timeout] * 2
    assert await connection.execute("ECHO", 2) == b"2"


async def test_a_refused_connection_is_an_error() -> None:
    connection = RedisConnection.of(redis_client(f"redis://127.0.0.1:{free_port()}/0"))
    answers = await asyncio.gather(*[connection.execute("ECHO", 1) for _ in range(5)], return_exceptions=True)
    assert all(isinstance(answer, ConnectionLost) for answer in answers)
    assert [answer.kind for answer in answers if isinstance(answer, ConnectionLost)] == ["ConnectionRefusedError"] * 5
    await connection.close()


async def test_the_password_and_the_database_of_the_url_are_used(tmp_path: Path) -> None:
    with redis_server(tmp_path) as url:
        async with Redis.from_url(url) as redis:
            await redis.config_set("requirepass", "secret")
        address = url.rpartition("/")[0].replace("redis://", "redis://:secret@")
        first, second = [RedisConnection.of(redis_client(f"{address}/{number}")) for number in (0, 3)]
        stranger = RedisConnection.of(redis_client(url))
        await second.execute("SET", "key", "there")
        assert (await first.execute("GET", "key"), await second.execute("GET", "key")) == (None, b"there")
        with pytest.raises(ResponseError, match="NOAUTH"):
            await stranger.execute("GET", "key")
        for connection in (first, second, stranger):
            await connection.close()


class Messages:
    """Records the messages of a subscription."""

    def __init__(self) -> None:
        self.received: list[tuple[str, bytes, bytes]] = []
        self.arrived = asyncio.Event()

    def __call__(self, kind: str, channel: bytes, data: bytes) -> None:
        self.received.append((kind, channel, data))
        self.arrived.set()

    async def until(self, count: int) -> None:
        """Wait until so many messages have arrived."""
        async with asyncio.timeout(10):
            while len(self.received) < count:
                self.arrived.clear()
                await self.arrived.wait()


@pytest.fixture
def messages() -> Messages:
    return Messages()


@pytest.fixture
async def subscription(redis: Redis, messages: Messages) -> AsyncIterator[Subscription]:
    subscription = await Subscription.open(redis, messages)
    yield subscription
    await subscription.close()


async def test_messages_of_subscribed_channels_are_received(
    connection: RedisConnection, subscription: Subscription, messages: Messages
) -> None:
    running = asyncio.ensure_future(subscription.run())
    await subscription.subscribe(["one", "two"])
    await messages.until(2)
    assert messages.received == [("subscribe", b"one", b""), ("subscribe", b"two", b"")]
    await subscription.unsubscribe(["two"])
    await messages.until(3)
    for channel, data in (("two", "unheard"), ("one", "heard")):
        await connection.execute("PUBLISH", channel, data)
    await messages.until(4)
    assert messages.received[2:] == [("unsubscribe", b"two", b""), ("message", b"one", b"heard")]
    running.cancel()


async def test_a_silent_subscription_is_pinged(
    redis: Redis, subscription: Subscription, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "SILENCE_SECONDS", 0.1)
    await subscription.subscribe(["one"])
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(subscription.run(), 1)
    await redis.client_pause(3000, all=True)
    async with asyncio.timeout(2):
        with pytest.raises(ConnectionLost, match="no answer to a ping"):
            await subscription.run()
    await redis.client_unpause()


async def test_a_lost_subscription_raises_an_error(redis: Redis, subscription: Subscription) -> None:
    await subscription.subscribe(["one"])
    losing = asyncio.ensure_future(subscription.run())
    await asyncio.sleep(0.1)
    await redis.client_kill_filter(_type="pubsub")
    with pytest.raises(ConnectionLost):
        await losing


async def test_the_run_id_is_that_of_the_connected_process(redis: Redis, connection: RedisConnection) -> None:
    assert connection.run_id_of("") == ""
    run_id = (await redis.info("server"))["run_id"][:16]
    assert await connection.execute_write("ECHO", with_run_id=True) == run_id.encode()
    assert connection.run_id_of("") == run_id


async def test_a_run_id_that_is_not_reported_is_empty_or_assumed(tmp_path: Path) -> None:
    with redis_server(tmp_path) as url:
        async with redis_client(url) as redis:
            await redis.execute_command("ACL", "SETUSER", "default", "-info")  # type: ignore[no-untyped-call]
            for assumed in ("", "assumed"):
                connection = RedisConnection.of(redis, assumed)
                assert await connection.execute_write("ECHO", with_run_id=True) == assumed.encode()
                await connection.close()


async def test_timeouts_of_a_url_do_not_apply_to_blocking_commands(single_redis_url: str) -> None:
    connection = RedisConnection.of(redis_client(f"{single_redis_url}?socket_timeout=0.1&health_check_interval=1"))
    number = await connection.execute("CLIENT", "ID")
    await asyncio.sleep(0.3)
    assert await connection.execute("CLIENT", "ID") == number
    await connection.close()
