"""The store inside this process, for who has no Redis."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final, cast

from fakeredis import FakeAsyncRedis, FakeServer
from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection

from services.pipe import Reply, Word
from services.store import Store
from services.turns import Turn


class EmbeddedStore(Store):
    """A store inside this process, on a server that drops what has expired only when it is asked for or counted."""

    def __init__(self, expiry: int, finished_expiry: int = 0, server: FakeServer | None = None) -> None:
        redis = FakeAsyncRedis(server=server or FakeServer())
        super().__init__(redis, expiry, finished_expiry, Single(redis))

    async def create(
        self,
        match_id: str,
        header: bytes,
        state: bytes,
        progress: bytes,
        lines: list[bytes],
        clock_seconds: int = 0,
        turns: Sequence[Turn] = (),
    ) -> bool:
        await self._run(self._redis.dbsize())
        return await super().create(match_id, header, state, progress, lines, clock_seconds, turns)

    async def check_policy(self) -> None:
        """It throws nothing away."""


class Single:
    """Asks a Redis that has no connection to share: each command has one of the pool, and a task."""

    def __init__(self, redis: Redis) -> None:
        self._pool: Final = redis.connection_pool
        self._running: Final[set[asyncio.Task[Reply]]] = set()

    async def ask(self, *words: Word) -> Reply:
        """The answer to a command. Raises `RedisError`."""
        task = asyncio.create_task(self._asked(words))
        self._running.add(task)
        task.add_done_callback(self._finished)
        return await asyncio.shield(task)

    async def _asked(self, words: tuple[Word, ...]) -> Reply:
        connection: AbstractConnection = await self._pool.get_connection()  # type: ignore[no-untyped-call]
        try:
            await connection.send_command(*words)
            return cast(Reply, await connection.read_response())
        finally:
            await self._pool.release(connection)

    def _finished(self, task: asyncio.Task[Reply]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # read, or a caller that was cancelled would leave a warning behind

    async def close(self) -> None:
        """Let what was asked be answered."""
        if self._running:
            await asyncio.wait(self._running)
