"""Where Redis is."""

from __future__ import annotations

from redis.asyncio import BlockingConnectionPool


def checked(url: str) -> str:
    """The value of `REDIS_URL`, which may be empty. Raises `ValueError`, which repeats nothing of it."""
    if not url:
        return url
    if not url.startswith(("redis://", "rediss://", "unix://")):
        raise ValueError("REDIS_URL: it must begin with redis://, rediss:// or unix://")
    try:
        pool = BlockingConnectionPool.from_url(url)
        pool.connection_class(**pool.connection_kwargs)
    except (ValueError, TypeError):
        raise ValueError("REDIS_URL: it cannot be read") from None  # and is not repeated: it may hold a password
    return url
