"""Latencies and errors of calls by kind, as a table and as JSON."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

PERCENTILES = (50, 95, 99)


@dataclass
class LoadStatistics:
    """Latencies in seconds of successful calls, and errors of failed ones by reason, each by kind of call."""

    latencies: dict[str, list[float]] = field(default_factory=dict)
    errors: dict[str, Counter[str]] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)

    def record_success(self, kind: str, seconds: float) -> None:
        """Count a successful call and its latency in seconds."""
        self.latencies.setdefault(kind, []).append(seconds)

    def record_failure(self, kind: str, reason: str) -> None:
        """Count a failed call."""
        self.errors.setdefault(kind, Counter())[reason] += 1

    @property
    def failures(self) -> int:
        """Number of failed calls."""
        return sum(counter.total() for counter in self.errors.values())


def percentile(values: Sequence[float], percent: int) -> float:
    """The percentile of sorted values, by the nearest-rank method; `percent` is from 0 to 100."""
    return values[max(0, math.ceil(len(values) * percent / 100) - 1)]


@dataclass(frozen=True)
class StatisticsRow:
    """The statistics of one kind of call; `milliseconds` is empty if none succeeded."""

    kind: str
    count: int
    per_second: float
    milliseconds: dict[str, float]
    errors: dict[str, int]


def statistics_rows(statistics: LoadStatistics, seconds: float) -> list[StatisticsRow]:
    """One row a kind, in the order in which kinds first occurred."""
    return [
        _format_row(kind, statistics, seconds) for kind in dict.fromkeys([*statistics.latencies, *statistics.errors])
    ]


def _format_row(kind: str, statistics: LoadStatistics, seconds: float) -> StatisticsRow:
    latencies = sorted(statistics.latencies.get(kind, []))
    milliseconds = {
        f"p{percent}": round(1000 * percentile(latencies, percent), 1) for percent in PERCENTILES if latencies
    }
    return StatisticsRow(
        kind, len(latencies), round(len(latencies) / seconds, 1), milliseconds, dict(statistics.errors.get(kind, {}))
    )


def print_table(statistics: LoadStatistics, seconds: float) -> None:
    """Print a table, and the counts below it."""
    table = Table("call", "done", "a second", *[f"p{percent} ms" for percent in PERCENTILES], "errors")
    for row in statistics_rows(statistics, seconds):
        latencies = [f"{row.milliseconds[f'p{percent}']:,.1f}" if row.milliseconds else "" for percent in PERCENTILES]
        errors = ", ".join(f"{count} {reason}" for reason, count in row.errors.items()) or "0"
        table.add_row(row.kind, f"{row.count:,}", f"{row.per_second:,.1f}", *latencies, errors)
    console = Console(width=120)
    console.print(table)
    counts = ", ".join(f"{count:,} {name}" for name, count in statistics.counts.items())
    console.print(f"{seconds:.0f} seconds: {counts}; {statistics.failures:,} errors", highlight=False)


def write_json(statistics: LoadStatistics, seconds: float, path: Path) -> None:
    """Write the same as JSON."""
    found = {
        "seconds": round(seconds, 1),
        "counts": dict(statistics.counts),
        "errors": statistics.failures,
        "calls": [row.__dict__ for row in statistics_rows(statistics, seconds)],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found, indent=2) + "\n")
