"""Stores on a Redis of the test's own, real or inside this process."""

from __future__ import annotations

from fakeredis import FakeAsyncRedis, FakeServer
from redis.asyncio import Redis

from services.store.embedded import EmbeddedStore
from services.store.match_store import Store
from services.store.open import open_store


def server_of(redis: FakeAsyncRedis) -> FakeServer:
    """What a Redis inside this process asks."""
    server = redis.connection_pool.connection_kwargs["server"]
    assert isinstance(server, FakeServer)
    return server


def store_on(redis: Redis, url: str, expiry: int, finished_expiry: int = 0) -> Store:
    """The store on what `redis` asks, which is at the URL if there is one."""
    if isinstance(redis, FakeAsyncRedis):
        return EmbeddedStore(expiry, finished_expiry, server_of(redis))
    return open_store(url, expiry, finished_expiry)
