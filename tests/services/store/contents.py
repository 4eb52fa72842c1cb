"""Everything that a Redis has, to compare before and after a call."""

from __future__ import annotations

from redis.asyncio import Redis

from services.store.keys import REACHED_KEY
from tests.redis_clients import keys_of


async def contents(redis: Redis) -> dict[str | bytes, object]:
    """The values by key, without the order in which a hash or a set has its parts.

    The key of readiness, which expires after a second, is left out.
    """
    return {key: await _value(redis, key) for key in await keys_of(redis) if key != REACHED_KEY.encode()}


async def _value(redis: Redis, key: str | bytes) -> object:
    match await redis.type(key):
        case b"hash":
            return await redis.hgetall(key)
        case b"list":
            return await redis.lrange(key, 0, -1)
        case b"set":
            return await redis.smembers(key)
        case b"zset":
            return await redis.zrange(key, 0, -1, withscores=True)
        case b"stream":
            return await redis.xrange(key)
        case _:
            return await redis.get(key)
