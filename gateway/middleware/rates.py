"""Rate limits by caller, as moving windows: shared by all gateways in Redis, or without Redis for this process."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from limits import RateLimitItem
from limits.aio.storage import MemoryStorage, RedisClusterStorage, RedisStorage
from limits.aio.strategies import MovingWindowRateLimiter
from limits.errors import StorageError
from redis.asyncio import BlockingConnectionPool, ConnectionPool, Redis
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway import problems
from gateway.middleware.callers import CallerResolver
from runtime import redis_url
from runtime.telemetry import metrics

logger = logging.getLogger(__name__)

REDIS_TIMEOUT_SECONDS: Final = 0.5
"""Timeout of Redis. A call that is not counted by then passes."""
REDIS_RETRY_SECONDS: Final = 1.0
"""How long calls pass uncounted after a failure of Redis before one of them tries it again."""
REDIS_CONNECTIONS: Final = 64
KEY_PREFIX: Final = "fireside:rate"
MIN_WAIT_SECONDS: Final = 0.001

HINT_SUFFIX: Final = ":hint"
HINT_COST: Final = 10
"""A hint counts as so many calls: by default it computes 40 to 80 ms, about a hundred times as long as a move."""

UNLIMITED_PATHS: Final = frozenset({"/", "/healthz", "/readyz", "/docs", "/openapi.json"})
UNLIMITED_PREFIXES: Final = (
    "/docs/",
    "/errors/",
    "/page/",
    "/match/",
    "/matches",
    "/tournaments",
    "/replay",
    "/embed/",
)


@dataclass(frozen=True)
class RateLimits:
    """Limits for each caller: on all calls, and on calls that create a stored match. None is no limit."""

    calls: RateLimitItem | None = None
    matches: RateLimitItem | None = None

    def __bool__(self) -> bool:
        return self.calls is not None or self.matches is not None


class CallCounter:
    """Counts calls in moving windows: in any period of the limit's length, no more than its amount pass.

    While Redis is unreachable all calls pass uncounted; only one in each `REDIS_RETRY_SECONDS` waits to try it again.
    """

    def __init__(self, url: str) -> None:
        self._seconds: Final = REDIS_TIMEOUT_SECONDS
        is_cluster = redis_url.is_cluster(url)
        self._redis: Final = _client(url, self._seconds) if url and not is_cluster else None
        self._cluster: Final = _cluster_storage(url, self._seconds) if is_cluster else None
        one = _redis_storage(self._redis.connection_pool) if self._redis else MemoryStorage()
        self._storage: Final = self._cluster or one
        self._window: Final = MovingWindowRateLimiter(self._storage)
        self._pending: Final[set[asyncio.Task[float]]] = set()
        self._is_down = False
        self._retry_at = 0.0
        self._has_reached_redis = not url

    async def has_reached_redis(self) -> bool:
        """Whether Redis has ever responded; tries it at each call until it has. True for a counter in this process."""
        if not self._has_reached_redis:
            with suppress(TimeoutError):
                self._has_reached_redis = await asyncio.wait_for(self._storage.check(), self._seconds)
        return self._has_reached_redis

    async def count(self, limit: RateLimitItem, *identifiers: str, cost: int = 1) -> float:
        """Count a call as `cost` calls. Returns 0 if it may pass, else the seconds until the next one may."""
        if self._is_down:
            if time.monotonic() < self._retry_at:
                return 0.0
            self._retry_at = time.monotonic() + REDIS_RETRY_SECONDS  # this call tries Redis, the others pass meanwhile
        return await self._wait_for_redis(self._start_counting(limit, identifiers, cost))

    def _start_counting(self, limit: RateLimitItem, identifiers: tuple[str, ...], cost: int) -> asyncio.Task[float]:
        """Count in a separate task: cancelling it with the request would leave a half-read reply on the connection."""
        task = asyncio.ensure_future(self._hit(limit, identifiers, cost))
        self._pending.add(task)
        task.add_done_callback(self._discard_task)
        return task

    def _discard_task(self, task: asyncio.Task[float]) -> None:
        self._pending.discard(task)
        if not task.cancelled():
            task.exception()  # marks it as retrieved, even if nobody waits for it any more

    async def _hit(self, limit: RateLimitItem, identifiers: tuple[str, ...], cost: int) -> float:
        if await self._window.hit(limit, *identifiers, cost=min(cost, limit.amount)):  # else it could never pass
            return 0.0
        stats = await self._window.get_window_stats(limit, *identifiers)
        return max(stats.reset_time - time.time(), MIN_WAIT_SECONDS)

    async def _wait_for_redis(self, task: asyncio.Task[float]) -> float:
        try:
            seconds = await asyncio.wait_for(asyncio.shield(task), self._seconds)
        except (StorageError, OSError) as error:
            self._record_failure(error)
            return 0.0
        if self._is_down:
            self._is_down = False
            logger.warning("Redis is reachable again: calls are counted")
        return seconds

    def _record_failure(self, error: Exception) -> None:
        metrics.RATE_COUNT_FAILURES.inc()
        self._retry_at = time.monotonic() + REDIS_RETRY_SECONDS
        if not self._is_down:
            self._is_down = True
            kind = type(error.__cause__ or error).__name__
            logger.warning("Redis is unreachable: calls pass without being counted", extra={"error": kind})

    async def close(self) -> None:
        """Close the connections."""
        for task in list(self._pending):
            task.cancel()
        await asyncio.gather(*self._pending, return_exceptions=True)
        if self._redis is not None:
            await self._redis.aclose()
        elif self._cluster is not None:
            await self._cluster.bridge.storage.aclose()  # type: ignore[attr-defined] # it has no other way
        elif isinstance(self._storage, MemoryStorage) and self._storage.timer is not None:
            await self._storage.timer


def _client(url: str, seconds: float) -> Redis:
    """A Redis client with a connection pool; a call waits while all connections are in use."""
    pool = BlockingConnectionPool
    return redis_url.client(url, seconds, seconds, pool, max_connections=REDIS_CONNECTIONS, timeout=seconds)


def _cluster_storage(url: str, seconds: float) -> RedisClusterStorage:
    """Counts on all nodes of a cluster; a call fails while all connections to a node are in use."""
    options = redis_url.cluster_options(url, seconds, seconds) | {"max_connections": REDIS_CONNECTIONS}
    return RedisClusterStorage(
        "async+redis+cluster://",  # only selects the class: the options have the addresses
        wrap_exceptions=True,
        implementation="redispy",
        key_prefix=KEY_PREFIX,
        **options,
    )


def _redis_storage(pool: ConnectionPool) -> RedisStorage:
    return RedisStorage(
        "async+redis://",  # only selects the class: the pool has the address
        wrap_exceptions=True,
        implementation="redispy",
        key_prefix=KEY_PREFIX,
        connection_pool=pool,  # type: ignore[arg-type] # accepted, but missing in its type
    )


class CallerRates:
    """Counts the calls of each caller against its limits."""

    def __init__(self, limits: RateLimits, counter: CallCounter, callers: CallerResolver) -> None:
        self._limits: Final = limits
        self._counter: Final = counter
        self._callers: Final = callers

    async def check(self, scope: Scope, *, creates_match: bool = False, cost: int = 1) -> None:
        """Count a call of the client of a request or WebSocket as `cost` calls. Raises `Problem` above a limit."""
        caller = self._callers.caller(scope)
        for name, limit in self._applicable_limits(creates_match):
            seconds = await self._counter.count(limit, name, caller, cost=cost)
            if seconds:
                metrics.RATE_LIMITED.labels(name).inc()
                raise problems.rate_limited(limit_text(limit), seconds)

    def _applicable_limits(self, creates_match: bool) -> Iterator[tuple[str, RateLimitItem]]:
        if self._limits.calls is not None:
            yield "calls", self._limits.calls
        if self._limits.matches is not None and creates_match:
            yield "matches", self._limits.matches


class RateLimit:
    """ASGI middleware: a call above a limit, or the handshake of a WebSocket, gets a 429.

    `creating_paths` are those on which a POST creates a stored match. Probes and documents are not limited.
    """

    def __init__(self, app: ASGIApp, rates: CallerRates, creating_paths: Collection[str]) -> None:
        self.app = app
        self.rates = rates
        self.creating_paths = creating_paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan" and not _is_unlimited(scope["path"]):
            creates_match = scope.get("method") == "POST" and scope["path"] in self.creating_paths
            try:
                cost = HINT_COST if scope["path"].endswith(HINT_SUFFIX) else 1
                await self.rates.check(scope, creates_match=creates_match, cost=cost)
            except problems.Problem as problem:
                await problems.response(problem, scope["path"])(scope, receive, send)
                return
        await self.app(scope, receive, send)


def _is_unlimited(path: str) -> bool:
    return path in UNLIMITED_PATHS or path.startswith(UNLIMITED_PREFIXES)


def limit_text(limit: RateLimitItem) -> str:
    """A limit as it is written in the settings."""
    unit = limit.GRANULARITY.name
    return f"{limit.amount}/{unit}" if limit.multiples == 1 else f"{limit.amount}/{limit.multiples} {unit}s"
