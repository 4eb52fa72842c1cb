"""Stores on a Redis of the test's own, real or inside this process."""

from __future__ import annotations

from fakeredis import FakeAsyncRedis
from redis.asyncio import Redis

from services.embedded_store import Single
from services.pipe import Commands


def commands(redis: Redis) -> Commands | None:
    """How a store asks it: the usual way is that of a real one."""
    return Single(redis) if isinstance(redis, FakeAsyncRedis) else None
