"""Prometheus metrics of gRPC calls, moves and store operations."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import cache, wraps
from time import perf_counter
from typing import Final, ParamSpec, TypeVar

import grpc
from google.protobuf.descriptor import MethodDescriptor
from prometheus_client import Counter

from engine_core.game import NATURE
from engine_core.match import Entry
from runtime.telemetry import metrics, tracing
from services.grpc_server.errors import StoreFull, StoreUnavailable

P = ParamSpec("P")
T = TypeVar("T")


class MethodMetrics:
    """The metrics of one method of a service."""

    def __init__(self, method: MethodDescriptor) -> None:
        labels = method.containing_service.file.package.split(".")[1], method.name
        self._labels: Final = labels
        self._seconds: Final = None if method.server_streaming else metrics.CALL_SECONDS.labels(*labels)
        self._open_streams: Final = metrics.OPEN_STREAMS.labels(*labels) if method.server_streaming else None
        self._end_counters: Final[dict[grpc.StatusCode, Counter]] = {}
        self._end_counter(grpc.StatusCode.OK)  # exported as 0 from the start, so that the first call shows in a rate

    def count_start(self) -> None:
        """Count the beginning of a call."""
        if self._open_streams is not None:
            self._open_streams.inc()

    def count_end(self, code: grpc.StatusCode, seconds: float) -> None:
        """Count the end of a call."""
        self._end_counter(code).inc()
        if self._seconds is not None:
            self._seconds.observe(seconds)
        if self._open_streams is not None:
            self._open_streams.dec()

    def _end_counter(self, code: grpc.StatusCode) -> Counter:
        if code not in self._end_counters:
            self._end_counters[code] = metrics.CALLS.labels(*self._labels, code.name)
        return self._end_counters[code]


def count_step(game: str, entries: Sequence[Entry], kind: str, *, over: bool) -> None:
    """Count a stored step: its moves of seats, by kind, and the end of the match."""
    moves_made = sum([entry.seat != NATURE and entry.move is not None for entry in entries])
    if moves_made:
        _moves(game, kind).inc(moves_made)
    if over:
        metrics.MATCHES_ENDED.labels(game).inc()


@cache
def _moves(game: str, kind: str) -> Counter:
    return metrics.MOVES.labels(game, kind)


def timed(operation: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
    """Decorator of store operations: measures each under its name, and makes it a span of the trace."""
    name = operation.__name__
    seconds = metrics.STORE_SECONDS.labels(name)
    facts = {"db.system.name": "redis", "db.operation.name": name}

    @wraps(operation)
    async def measured(*words: P.args, **named: P.kwargs) -> T:
        began = perf_counter()
        try:
            with tracing.client_span(f"store {name}", facts):
                return await operation(*words, **named)
        except (StoreUnavailable, StoreFull) as error:
            reason = StoreFull if isinstance(error, StoreFull) else StoreUnavailable
            metrics.STORE_FAILURES.labels(name, reason.__name__).inc()
            raise
        finally:
            seconds.observe(perf_counter() - began)

    return measured
