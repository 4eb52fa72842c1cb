"""The store inside this process, for who has no Redis."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from typing import Final, cast

from fakeredis import FakeAsyncRedis, FakeServer
from redis import exceptions
from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection

from services.store.match_store import Store, Translated
from services.store.redis import Heard, News, Refused, Reply, Unreachable, Word

LISTENING_SECONDS: Final = 60.0
INCARNATION: Final = secrets.token_hex(8)
"""The run id of every Redis of this process: what it holds is gone with it."""


class EmbeddedStore(Store):
    """A store inside this process, on a server that drops what has expired only when it is asked for or counted."""

    def __init__(self, expiry: int, finished_expiry: int = 0, server: FakeServer | None = None) -> None:
        self._redis: Final[Redis] = FakeAsyncRedis(server=server or FakeServer(), protocol=2)
        super().__init__("", expiry, finished_expiry, Single(self._redis))

    async def _make_room(self) -> None:
        await self._commands.ask("DBSIZE")

    async def check_policy(self) -> None:
        """It throws nothing away."""

    async def news(self, heard: Heard) -> News:
        return Listening(self._redis, heard)

    def _commands_apart(self) -> Translated:
        return self._commands  # which has a connection for each command

    async def close(self) -> None:
        await super().close()
        await self._redis.aclose()


class Single:
    """Asks a Redis that has no connection to share: each command has one of the pool, and a task."""

    def __init__(self, redis: Redis) -> None:
        self._pool: Final = redis.connection_pool
        self._running: Final[set[asyncio.Task[Reply]]] = set()

    @property
    def incarnation(self) -> str:
        """The run id of this process."""
        return INCARNATION

    async def ask_here(self, *words: Word) -> Reply:
        """As `ask`, with the run id as one more word."""
        return await self.ask(*words, INCARNATION)

    async def ask(self, *words: Word) -> Reply:
        """The answer to a command. Raises `RedisFailure`."""
        task = asyncio.create_task(self._asked(words))
        self._running.add(task)
        task.add_done_callback(self._finished)
        return await asyncio.shield(task)

    async def _asked(self, words: tuple[Word, ...]) -> Reply:
        try:
            connection: AbstractConnection = await self._pool.get_connection()  # type: ignore[no-untyped-call]
            try:
                await connection.send_command(*words)
                return cast(Reply, await connection.read_response())
            finally:
                await self._pool.release(connection)
        except exceptions.ConnectionError as error:
            raise Unreachable(str(error)) from error
        except exceptions.ResponseError as error:
            raise Refused(f"{_kind(error)}{error}") from error

    def _finished(self, task: asyncio.Task[Reply]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # read, or a caller that was cancelled would leave a warning behind

    async def close(self) -> None:
        """Let what was asked be answered."""
        if self._running:
            await asyncio.wait(self._running)


def _kind(error: exceptions.ResponseError) -> str:
    """The first word of an error that redis-py has taken off."""
    return "NOSCRIPT " if isinstance(error, exceptions.NoScriptError) else ""


class Listening:
    """What is published on channels of this process."""

    def __init__(self, redis: Redis, heard: Heard) -> None:
        self._pubsub: Final = redis.pubsub()
        self._heard: Final = heard
        self._reading: asyncio.Task[None] | None = None

    async def hear(self, channels: list[str]) -> None:
        """Hear of further channels; that it does is told, too."""
        await self._pubsub.subscribe(*channels)
        if self._reading is None:
            self._reading = asyncio.create_task(self._read())

    async def ignore(self, channels: list[str]) -> None:
        """Hear of channels no more."""
        await self._pubsub.unsubscribe(*channels)

    async def _read(self) -> None:
        while True:
            message = await self._pubsub.get_message(timeout=LISTENING_SECONDS)
            if message is not None:
                data = message["data"]
                self._heard(message["type"], message["channel"], data if isinstance(data, bytes) else b"")

    async def lost(self) -> None:
        """Wait for ever: it stands as long as this process."""
        await asyncio.get_running_loop().create_future()

    async def close(self) -> None:
        """Give it up."""
        if self._reading is not None:
            self._reading.cancel()
            with suppress(asyncio.CancelledError):
                await self._reading
        await self._pubsub.aclose()  # type: ignore[no-untyped-call]
