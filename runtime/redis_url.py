"""Redis clients created from `REDIS_URL`: of one server, or of the primary that Sentinel names.

redis-py reads login, database, TLS and options from the URL, those of its query too (`?ssl_ca_certs=/ca.pem`).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple
from urllib.parse import SplitResult, parse_qsl, unquote, urlencode, urlsplit, urlunsplit

from redis import Redis as BlockingRedis
from redis.asyncio import ConnectionPool, Redis
from redis.asyncio.connection import parse_url
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel, SentinelConnectionPool
from redis.backoff import ExponentialBackoff, NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry as BlockingRetry
from redis.sentinel import Sentinel as BlockingSentinel

SCHEMES: Final = ("redis://", "rediss://", "unix://", "redis+sentinel://", "rediss+sentinel://")
SENTINEL: Final = "+sentinel"
SENTINEL_PORT: Final = 26379
SENTINEL_LOGIN: Final = {"sentinel_username": "username", "sentinel_password": "password"}
"""Options of a query that are for Sentinel itself, and their names in its client; the rest is for the primary."""
LONGEST_PAUSE: Final = 2.0


class SentinelAddress(NamedTuple):
    """The primary of a service, by the processes of Sentinel that know it."""

    sentinels: list[tuple[str, int]]
    service: str
    options: dict[str, Any]
    """Of connections to the primary, as redis-py names them."""
    sentinel_options: dict[str, Any]


class _SentinelPool(SentinelConnectionPool):
    """Connections to a primary, with those to Sentinel, which redis-py leaves open."""

    async def disconnect(self, inuse_connections: bool = True) -> None:
        """Close the connections; they open again when they are used."""
        await super().disconnect(inuse_connections)
        for sentinel in self.sentinel_manager.sentinels:
            await sentinel.connection_pool.disconnect(inuse_connections)


def validated_url(url: str) -> str:
    """Check and return the value of `REDIS_URL`, which may be empty. Raises `ValueError`, which never repeats it."""
    if url and not url.startswith(SCHEMES):
        raise ValueError(f"REDIS_URL: it must begin with {', '.join(SCHEMES[:-1])} or {SCHEMES[-1]}")
    try:
        if url:
            _check_path(url)
            client(url, 1.0, 1.0).connection_pool.make_connection()  # type: ignore[no-untyped-call]
    except (ValueError, TypeError, RedisError):
        raise ValueError("REDIS_URL: it cannot be read") from None  # not repeated: it may contain a password
    return url


def _check_path(url: str) -> None:
    """Raise `ValueError` for paths that redis-py ignores or misreads: a database `first` or `1/2`, a missing socket."""
    parts = urlsplit(url)
    database = parts.path.strip("/").removeprefix(_service(parts)).strip("/")
    if not parts.path if parts.scheme == "unix" else database and not (database.isascii() and database.isdigit()):
        raise ValueError("neither a database nor a socket")


def _service(parts: SplitResult) -> str:
    """The name of a service of Sentinel, before the database; empty without Sentinel."""
    return parts.path.strip("/").partition("/")[0] if parts.scheme.endswith(SENTINEL) else ""


def sentinel_address(url: str) -> SentinelAddress | None:
    """What a URL `redis+sentinel://[USER:PASSWORD@]HOST[:PORT],…/SERVICE[/DATABASE]` names; None for another scheme.

    Raises `ValueError`. With `rediss+sentinel`, Sentinel is called with TLS too.
    """
    parts = urlsplit(url)
    if not parts.scheme.endswith(SENTINEL):
        return None
    login, _, hosts = parts.netloc.rpartition("@")
    sentinels = [_host_and_port(host) for host in hosts.split(",")]
    service = _service(parts)
    if not service:
        raise ValueError("a service is missing")
    query = dict(parse_qsl(parts.query))
    sentinel_options: dict[str, Any] = {
        SENTINEL_LOGIN[name]: query.pop(name) for name in SENTINEL_LOGIN if name in query
    }
    path = parts.path.strip("/").removeprefix(service)
    scheme = parts.scheme.removesuffix(SENTINEL)
    options: dict[str, Any] = dict(parse_url(urlunsplit((scheme, f"{login}@", path, urlencode(query), ""))))
    if options.pop("connection_class", None) is not None:
        options["ssl"] = True
        sentinel_options |= {name: value for name, value in options.items() if name.startswith("ssl")}
    return SentinelAddress(sentinels, unquote(service), options, sentinel_options)


def _host_and_port(text: str) -> tuple[str, int]:
    parts = urlsplit(f"//{text}")
    if not parts.hostname:
        raise ValueError("a host is missing")
    return parts.hostname, parts.port or SENTINEL_PORT


def client(
    url: str,
    connect_seconds: float,
    answer_seconds: float,
    pool: type[ConnectionPool] = ConnectionPool,
    **options: float,
) -> Redis:
    """An asyncio client without retries: a command whose reply was lost may have been carried out.

    `pool` and its `options` are of the connections to one server; with Sentinel the pool is its own.
    """
    defaults: dict[str, Any] = {
        "protocol": 2,
        "socket_connect_timeout": connect_seconds,
        "socket_timeout": answer_seconds,
        "retry": Retry(NoBackoff(), 0),
    }
    address = sentinel_address(url)
    if address is None:
        return Redis.from_pool(pool.from_url(url, **defaults, **options))
    seconds = connect_seconds / (len(address.sentinels) + 1)  # so that one that does not answer leaves time for another
    timeouts = {"socket_connect_timeout": seconds, "socket_timeout": seconds, "retry": Retry(NoBackoff(), 0)}
    sentinel = Sentinel(address.sentinels, sentinel_kwargs=timeouts | address.sentinel_options)  # type: ignore[no-untyped-call]
    pool_of_primary = _SentinelPool(address.service, sentinel, **defaults | address.options)  # type: ignore[no-untyped-call]
    return Redis.from_pool(pool_of_primary)


def blocking_client(url: str, answer_seconds: float, retries: int) -> BlockingRedis:
    """A blocking client that retries each command up to `retries` times: only for commands that may be repeated."""
    retry = BlockingRetry(ExponentialBackoff(cap=LONGEST_PAUSE, base=0.05), retries)
    address = sentinel_address(url)
    if address is None:
        return BlockingRedis.from_url(url, socket_timeout=answer_seconds, retry=retry)
    seconds = answer_seconds / (len(address.sentinels) + 1)
    timeouts = {"socket_connect_timeout": seconds, "socket_timeout": seconds}
    sentinel = BlockingSentinel(address.sentinels, sentinel_kwargs=timeouts | address.sentinel_options)  # type: ignore[no-untyped-call]
    options = {"socket_timeout": answer_seconds, "retry": retry} | address.options
    return sentinel.master_for(address.service, **options)  # type: ignore[no-any-return, no-untyped-call]
