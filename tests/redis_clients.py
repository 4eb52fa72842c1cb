"""Clients by which tests look into the Redis of a service, be it one server or a cluster."""

from __future__ import annotations

from typing import cast

from redis import Redis as BlockingRedis
from redis.asyncio import Redis

from runtime import redis_url

SECONDS = 5.0


def redis_at(url: str) -> Redis:
    """An asyncio client. One of a cluster has the same commands, as far as their keys are in one slot."""
    if redis_url.is_cluster(url):
        return cast(Redis, redis_url.cluster_client(url, SECONDS, SECONDS))
    return Redis.from_url(url)


async def keys_of(redis: Redis, pattern: str = "*") -> list[bytes]:
    """The keys of a Redis, or of all primaries of a cluster."""
    return [key async for key in redis.scan_iter(pattern)]


def blocking_redis_at(url: str) -> BlockingRedis:
    """A blocking client."""
    return cast(BlockingRedis, redis_url.blocking_client(url, SECONDS, 0))
