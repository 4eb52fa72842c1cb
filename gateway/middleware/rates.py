"""How often a caller may call: counted in Redis, so that all gateways count together, or else in this process."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from limits import RateLimitItem
from limits.aio.storage import MemoryStorage, RedisStorage
from limits.aio.strategies import MovingWindowRateLimiter
from limits.errors import StorageError
from redis.asyncio import BlockingConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway import problems
from gateway.middleware.callers import Callers
from runtime.telemetry import metrics

log = logging.getLogger(__name__)

ANSWER_SECONDS: Final = 0.5
"""How long a call waits for Redis to count it."""
PAUSE_SECONDS: Final = 1.0
"""How long calls pass uncounted before one of them looks whether Redis is there again."""
CONNECTIONS: Final = 64
PREFIX: Final = "fireside:rate"
SOON: Final = 0.001

FREE_PATHS: Final = frozenset({"/healthz", "/readyz", "/docs", "/openapi.json"})
FREE_FOLDERS: Final = ("/docs/", "/errors/")


@dataclass(frozen=True)
class Limits:
    """How much is allowed to each caller: of all calls, and of those that begin a stored match; None for any."""

    calls: RateLimitItem | None = None
    matches: RateLimitItem | None = None

    def __bool__(self) -> bool:
        return self.calls is not None or self.matches is not None


class Counter:
    """Counts calls in moving windows: of any span of the limit's length, no more than its amount pass.

    A Redis that is away lets every call pass, without a wait but for the calls that find it out.
    """

    def __init__(self, redis_url: str) -> None:
        self._seconds: Final = ANSWER_SECONDS
        self._pool: Final = _pool(redis_url, self._seconds) if redis_url else None
        self._storage: Final = _in_redis(self._pool) if self._pool else MemoryStorage()
        self._window: Final = MovingWindowRateLimiter(self._storage)
        self._asked: Final[set[asyncio.Task[float]]] = set()
        self._away = False
        self._again = 0.0
        self._reached = self._pool is None

    async def has_reached_redis(self) -> bool:
        """Whether Redis has ever answered; looks until it has. True of a counter in this process."""
        if not self._reached:
            with suppress(TimeoutError):
                self._reached = await asyncio.wait_for(self._storage.check(), self._seconds)
        return self._reached

    async def count(self, limit: RateLimitItem, *what: str) -> float:
        """Count a call; 0 if it may pass, else the seconds until another may."""
        if self._away:
            if time.monotonic() < self._again:
                return 0.0
            self._again = time.monotonic() + PAUSE_SECONDS  # one call looks, the others pass meanwhile
        return await self._answer(self._ask(limit, what))

    def _ask(self, limit: RateLimitItem, what: tuple[str, ...]) -> asyncio.Task[float]:
        """A task of its own, so that a caller who goes, or waits no longer, leaves no half answer behind."""
        task = asyncio.ensure_future(self._counted(limit, what))
        self._asked.add(task)
        task.add_done_callback(self._over)
        return task

    def _over(self, task: asyncio.Task[float]) -> None:
        self._asked.discard(task)
        if not task.cancelled():
            task.exception()  # seen, even if nobody waits for it any more

    async def _counted(self, limit: RateLimitItem, what: tuple[str, ...]) -> float:
        if await self._window.hit(limit, *what):
            return 0.0
        stats = await self._window.get_window_stats(limit, *what)
        return max(stats.reset_time - time.time(), SOON)

    async def _answer(self, task: asyncio.Task[float]) -> float:
        try:
            seconds = await asyncio.wait_for(asyncio.shield(task), self._seconds)
        except (StorageError, OSError) as error:
            self._lost(error)
            return 0.0
        if self._away:
            self._away = False
            log.warning("Redis counts the calls again")
        return seconds

    def _lost(self, error: Exception) -> None:
        metrics.UNCOUNTED.inc()
        self._again = time.monotonic() + PAUSE_SECONDS
        if not self._away:
            self._away = True
            kind = type(error.__cause__ or error).__name__
            log.warning("Redis is away: calls pass without being counted", extra={"error": kind})

    async def close(self) -> None:
        """Let go of the connections."""
        for task in list(self._asked):
            task.cancel()
        await asyncio.gather(*self._asked, return_exceptions=True)
        if self._pool is not None:
            await self._pool.disconnect()
        elif isinstance(self._storage, MemoryStorage) and self._storage.timer is not None:
            await self._storage.timer


def _pool(url: str, seconds: float) -> BlockingConnectionPool:
    return BlockingConnectionPool.from_url(
        url,
        max_connections=CONNECTIONS,
        timeout=seconds,
        socket_timeout=seconds,
        socket_connect_timeout=seconds,
        retry=Retry(NoBackoff(), 0),
    )


def _in_redis(pool: BlockingConnectionPool) -> RedisStorage:
    return RedisStorage(
        "async+redis://",
        wrap_exceptions=True,
        implementation="redispy",
        key_prefix=PREFIX,
        connection_pool=pool,  # type: ignore[arg-type] # taken, but not declared
    )


class RateLimit:
    """ASGI middleware: a call beyond a limit gets the problem 429.

    `creating` are the paths to which a POST begins a stored match. Probes and documents are free.
    """

    def __init__(
        self, app: ASGIApp, limits: Limits, counter: Counter, callers: Callers, creating: Collection[str]
    ) -> None:
        self.app = app
        self.limits = limits
        self.counter = counter
        self.callers = callers
        self.creating = creating

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not _is_free(scope["path"]):
            caller = self.callers.caller(scope)
            for name, limit in self._limits_of(scope):
                seconds = await self.counter.count(limit, name, caller)
                if seconds:
                    metrics.RATE_LIMITED.labels(name).inc()
                    refusal = problems.rate_limited(written(limit), seconds)
                    await problems.response(refusal, scope["path"])(scope, receive, send)
                    return
        await self.app(scope, receive, send)

    def _limits_of(self, scope: Scope) -> Iterator[tuple[str, RateLimitItem]]:
        if self.limits.calls is not None:
            yield "calls", self.limits.calls
        if self.limits.matches is not None and scope["method"] == "POST" and scope["path"] in self.creating:
            yield "matches", self.limits.matches


def _is_free(path: str) -> bool:
    return path in FREE_PATHS or path.startswith(FREE_FOLDERS)


def written(limit: RateLimitItem) -> str:
    """A limit as the settings say it."""
    unit = limit.GRANULARITY.name
    return f"{limit.amount}/{unit}" if limit.multiples == 1 else f"{limit.amount}/{limit.multiples} {unit}s"
