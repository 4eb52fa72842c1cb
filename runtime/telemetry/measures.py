"""What counts and times, in memory: a call counts a few things, and nobody who does not ask for them pays for more.

How they are told to who asks is in `runtime.telemetry.exposition`, which costs more to import than half of an engine.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from time import perf_counter
from typing import Final, Generic, TypeVar

M = TypeVar("M")


class Number:
    """A number that grows, or that rises and falls; safe to change from any thread."""

    def __init__(self) -> None:
        self.value = 0.0
        self._lock: Final = Lock()

    def inc(self, amount: float = 1.0) -> None:
        """Add to it."""
        with self._lock:
            self.value += amount

    def dec(self, amount: float = 1.0) -> None:
        """Take from it."""
        self.inc(-amount)

    def set(self, value: float) -> None:
        """Let it be a value."""
        self.value = value

    @contextmanager
    def while_within(self) -> Iterator[None]:
        """Count one for as long as the context lasts."""
        self.inc()
        try:
            yield
        finally:
            self.dec()


class Times:
    """How many times were within each of some bounds, each of its own, and what they come to; safe likewise."""

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds: Final = bounds
        self.counts: Final = [0] * (len(bounds) + 1)
        """The last one of those beyond all bounds."""
        self.sum = 0.0
        self._lock: Final = Lock()

    def observe(self, seconds: float) -> None:
        """Count a time."""
        with self._lock:
            self.counts[bisect_left(self.bounds, seconds)] += 1
            self.sum += seconds

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Count the time that the context lasts."""
        began = perf_counter()
        try:
            yield
        finally:
            self.observe(perf_counter() - began)


class Family(Generic[M]):
    """A metric: one measure for each set of values that its labels have had."""

    def __init__(self, name: str, text: str, make: Callable[[], M], labels: Sequence[str] = ()) -> None:
        self.name: Final = name
        self.text: Final = text
        self.label_names: Final = tuple(labels)
        self.measures: Final[dict[tuple[str, ...], M]] = {}
        self._make: Final = make
        if not labels:
            self.labels()

    def labels(self, *values: object) -> M:
        """The measure for values of the labels, in their order. Raises `ValueError` for too few or too many."""
        if len(values) != len(self.label_names):
            raise ValueError(f"{self.name} has the labels {self.label_names}")
        key = tuple([str(value) for value in values])
        known = self.measures.get(key)
        return self.measures.setdefault(key, self._make()) if known is None else known


class Counter(Family[Number]):
    """What only grows."""

    def __init__(self, name: str, text: str, labels: Sequence[str] = ()) -> None:
        super().__init__(name, text, Number, labels)

    def inc(self, amount: float = 1.0) -> None:
        """Add to one without labels."""
        self.labels().inc(amount)


class Gauge(Family[Number]):
    """What rises and falls."""

    def __init__(self, name: str, text: str, labels: Sequence[str] = ()) -> None:
        super().__init__(name, text, Number, labels)

    def inc(self, amount: float = 1.0) -> None:
        """Add to one without labels."""
        self.labels().inc(amount)

    def dec(self, amount: float = 1.0) -> None:
        """Take from one without labels."""
        self.labels().dec(amount)

    def set(self, value: float) -> None:
        """Let one without labels be a value."""
        self.labels().set(value)


class Histogram(Family[Times]):
    """How times are spread."""

    def __init__(self, name: str, text: str, labels: Sequence[str], buckets: Sequence[float]) -> None:
        """`buckets` are the upper bounds, from the least to the greatest."""
        super().__init__(name, text, lambda: Times(buckets), labels)
