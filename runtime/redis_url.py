"""Redis clients created from `REDIS_URL`: of one server, of the primary that Sentinel names, or of a cluster.

redis-py reads login, database, TLS and options from the URL, those of its query too (`?ssl_ca_certs=/ca.pem`).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple
from urllib.parse import SplitResult, parse_qsl, unquote, urlencode, urlsplit, urlunsplit

from redis import Redis as BlockingRedis
from redis import RedisCluster as BlockingRedisCluster
from redis.asyncio import ConnectionPool, Redis, RedisCluster
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.connection import parse_url
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel, SentinelConnectionPool
from redis.backoff import ExponentialBackoff, NoBackoff
from redis.cluster import ClusterNode as BlockingClusterNode
from redis.exceptions import RedisError
from redis.retry import Retry as BlockingRetry
from redis.sentinel import Sentinel as BlockingSentinel

SCHEMES: Final = (
    "redis://",
    "rediss://",
    "unix://",
    "redis+sentinel://",
    "rediss+sentinel://",
    "redis+cluster://",
    "rediss+cluster://",
)
CLUSTER: Final = "+cluster"
CLUSTER_PORT: Final = 6379
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
            if is_cluster(url):
                cluster_client(url, 1.0, 1.0)
                return url
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
    sentinels = _hosts_and_ports(hosts, SENTINEL_PORT)
    service = _service(parts)
    if not service:
        raise ValueError("a service is missing")
    query = dict(parse_qsl(parts.query))
    sentinel_options: dict[str, Any] = {
        SENTINEL_LOGIN[name]: query.pop(name) for name in SENTINEL_LOGIN if name in query
    }
    path = parts.path.strip("/").removeprefix(service)
    options = _options(parts.scheme.removesuffix(SENTINEL), login, path, urlencode(query))
    if "ssl" in options:
        sentinel_options |= {name: value for name, value in options.items() if name.startswith("ssl")}
    return SentinelAddress(sentinels, unquote(service), options, sentinel_options)


def _options(scheme: str, login: str, path: str, query: str) -> dict[str, Any]:
    """The options of connections in parts of a URL, as redis-py names them."""
    options: dict[str, Any] = dict(parse_url(urlunsplit((scheme, f"{login}@", path, query, ""))))
    if options.pop("connection_class", None) is not None:
        options["ssl"] = True
    return options


def _hosts_and_ports(text: str, default_port: int) -> list[tuple[str, int]]:
    parts = [urlsplit(f"//{host}") for host in text.split(",")]
    if not all(part.hostname for part in parts):
        raise ValueError("a host is missing")
    return [(part.hostname or "", part.port or default_port) for part in parts]


def is_cluster(url: str) -> bool:
    """Whether a URL `redis+cluster://[USER:PASSWORD@]HOST[:PORT],…` or `rediss+cluster://…` names a Redis Cluster."""
    return urlsplit(url).scheme.endswith(CLUSTER)


def _cluster_address(url: str) -> tuple[list[tuple[str, int]], dict[str, Any]]:
    """Nodes of a cluster, and the options of connections to all. Raises `ValueError`."""
    parts = urlsplit(url)
    login, _, hosts = parts.netloc.rpartition("@")
    if parts.path.strip("/") not in ("", "0"):
        raise ValueError("a cluster has no other database than 0")
    options = _options(parts.scheme.removesuffix(CLUSTER), login, "", parts.query)
    return _hosts_and_ports(hosts, CLUSTER_PORT), options


def cluster_options(url: str, connect_seconds: float, answer_seconds: float) -> dict[str, Any]:
    """Arguments of an asyncio client of a cluster, which does not repeat commands after a lost connection."""
    nodes, options = _cluster_address(url)
    return {
        "startup_nodes": [ClusterNode(host, port) for host, port in nodes],
        "require_full_coverage": False,
        "protocol": 2,
        "socket_connect_timeout": connect_seconds,
        "socket_timeout": answer_seconds,
        "retry": Retry(NoBackoff(), 0),
    } | options


def cluster_client(url: str, connect_seconds: float, answer_seconds: float) -> RedisCluster:
    """An asyncio client of the cluster that a URL names. Raises `ValueError`."""
    return RedisCluster(**cluster_options(url, connect_seconds, answer_seconds))


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


def blocking_client(url: str, answer_seconds: float, retries: int) -> BlockingRedis | BlockingRedisCluster:
    """A blocking client that retries each command up to `retries` times: only for commands that may be repeated."""
    retry = BlockingRetry(ExponentialBackoff(cap=LONGEST_PAUSE, base=0.05), retries)
    if is_cluster(url):
        nodes, options = _cluster_address(url)
        timeouts: dict[str, Any] = {"socket_timeout": answer_seconds, "retry": retry}
        return BlockingRedisCluster(
            startup_nodes=[BlockingClusterNode(host, port) for host, port in nodes],  # type: ignore[no-untyped-call]
            require_full_coverage=False,
            **timeouts | options,
        )
    address = sentinel_address(url)
    if address is None:
        return BlockingRedis.from_url(url, socket_timeout=answer_seconds, retry=retry)
    seconds = answer_seconds / (len(address.sentinels) + 1)
    timeouts = {"socket_connect_timeout": seconds, "socket_timeout": seconds}
    sentinel = BlockingSentinel(address.sentinels, sentinel_kwargs=timeouts | address.sentinel_options)  # type: ignore[no-untyped-call]
    options = {"socket_timeout": answer_seconds, "retry": retry} | address.options
    return sentinel.master_for(address.service, **options)  # type: ignore[no-any-return, no-untyped-call]
