"""Redis clients created from `REDIS_URL`; redis-py reads the address, TLS and options from the URL."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from redis import Redis as BlockingRedis
from redis.asyncio import ConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff, NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry as BlockingRetry

SCHEMES: Final = ("redis://", "rediss://", "unix://")
LONGEST_PAUSE: Final = 2.0


def validated_url(url: str) -> str:
    """Check and return the value of `REDIS_URL`, which may be empty. Raises `ValueError`, which never repeats it."""
    if url and not url.startswith(SCHEMES):
        raise ValueError("REDIS_URL: it must begin with redis://, rediss:// or unix://")
    try:
        if url:
            _check_path(url)
            ConnectionPool.from_url(url).make_connection()  # type: ignore[no-untyped-call]
    except (ValueError, TypeError, RedisError):
        raise ValueError("REDIS_URL: it cannot be read") from None  # not repeated: it may contain a password
    return url


def _check_path(url: str) -> None:
    """Raise `ValueError` for paths that redis-py ignores or misreads: a database `first` or `1/2`, a missing socket."""
    parts = urlsplit(url)
    database = parts.path.strip("/")
    if not parts.path if parts.scheme == "unix" else database and not (database.isascii() and database.isdigit()):
        raise ValueError("neither a database nor a socket")


def client(
    url: str,
    connect_seconds: float,
    answer_seconds: float,
    pool: type[ConnectionPool] = ConnectionPool,
    **options: float,
) -> Redis:
    """An asyncio client without retries: a command whose reply was lost may have been carried out."""
    return Redis.from_pool(
        pool.from_url(
            url,
            protocol=2,
            socket_connect_timeout=connect_seconds,
            socket_timeout=answer_seconds,
            retry=Retry(NoBackoff(), 0),
            **options,
        )
    )


def blocking_client(url: str, answer_seconds: float, retries: int) -> BlockingRedis:
    """A blocking client that retries each command up to `retries` times: only for commands that may be repeated."""
    retry = BlockingRetry(ExponentialBackoff(cap=LONGEST_PAUSE, base=0.05), retries)
    return BlockingRedis.from_url(url, socket_timeout=answer_seconds, retry=retry)
