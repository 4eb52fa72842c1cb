"""Clients by which tests look into the Redis of a service, be it one server or a cluster."""

from __future__ import annotations

from typing import Any, cast

from redis import Redis as BlockingRedis
from redis.asyncio import Redis, RedisCluster

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


async def subscriber_count(redis: Redis, channel: str) -> int:
    """How many connections have subscribed to a channel, at whatever nodes of a cluster."""
    [(_, count)] = await redis.pubsub_numsub(channel, **_all_nodes(redis))
    return int(count)


async def channels_of(redis: Redis, pattern: str) -> list[bytes]:
    """The channels to which there are subscriptions, at whatever nodes of a cluster."""
    return cast("list[bytes]", await redis.pubsub_channels(pattern, **_all_nodes(redis)))


def _all_nodes(redis: Redis) -> dict[str, Any]:
    """The option of a command that a client of a cluster sends to all nodes, and whose replies it merges."""
    return {"target_nodes": RedisCluster.ALL_NODES} if isinstance(redis, RedisCluster) else {}


def blocking_redis_at(url: str) -> BlockingRedis:
    """A blocking client."""
    return cast(BlockingRedis, redis_url.blocking_client(url, SECONDS, 0))
