"""Stores on the Redis of a test, a real one or a fake one in this process."""

from __future__ import annotations

from fakeredis import FakeAsyncRedis, FakeServer
from redis.asyncio import Redis

from services.store.embedded import EmbeddedStore
from services.store.matches.store import Store
from services.store.open import open_store


def server_of(redis: FakeAsyncRedis) -> FakeServer:
    """The server of a fake Redis client."""
    server = redis.connection_pool.connection_kwargs["server"]
    assert isinstance(server, FakeServer)
    return server


def store_on(redis: Redis, url: str, expiry: int, finished_expiry: int = 0) -> Store:
    """A store on the server of this client; `url` is its address if it is a real one."""
    if isinstance(redis, FakeAsyncRedis):
        return EmbeddedStore(expiry, finished_expiry, server_of(redis))
    return open_store(url, expiry, finished_expiry)
