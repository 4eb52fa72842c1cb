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

SHARES = (50, 95, 99)


@dataclass
class Tally:
    """Latencies in seconds of successful calls, and errors of failed ones by reason, each by kind of call."""

    times: dict[str, list[float]] = field(default_factory=dict)
    errors: dict[str, Counter[str]] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)

    def done(self, kind: str, seconds: float) -> None:
        """Count a successful call and its latency in seconds."""
        self.times.setdefault(kind, []).append(seconds)

    def failed(self, kind: str, reason: str) -> None:
        """Count a failed call."""
        self.errors.setdefault(kind, Counter())[reason] += 1

    @property
    def failures(self) -> int:
        """Number of failed calls."""
        return sum(counter.total() for counter in self.errors.values())


def percentile(values: Sequence[float], share: int) -> float:
    """The percentile of sorted values, by the nearest-rank method; `share` is in per cent."""
    return values[max(0, math.ceil(len(values) * share / 100) - 1)]


@dataclass(frozen=True)
class Row:
    """The statistics of one kind of call; `milliseconds` is empty if none succeeded."""

    kind: str
    count: int
    per_second: float
    milliseconds: dict[str, float]
    errors: dict[str, int]


def rows(tally: Tally, seconds: float) -> list[Row]:
    """One row a kind, in the order in which kinds first occurred."""
    return [_row(kind, tally, seconds) for kind in dict.fromkeys([*tally.times, *tally.errors])]


def _row(kind: str, tally: Tally, seconds: float) -> Row:
    times = sorted(tally.times.get(kind, []))
    milliseconds = {f"p{share}": round(1000 * percentile(times, share), 1) for share in SHARES if times}
    return Row(kind, len(times), round(len(times) / seconds, 1), milliseconds, dict(tally.errors.get(kind, {})))


def show(tally: Tally, seconds: float) -> None:
    """Print a table, and the counts below it."""
    table = Table("call", "done", "a second", *[f"p{share} ms" for share in SHARES], "errors")
    for row in rows(tally, seconds):
        times = [f"{row.milliseconds[f'p{share}']:,.1f}" if row.milliseconds else "" for share in SHARES]
        errors = ", ".join(f"{count} {reason}" for reason, count in row.errors.items()) or "0"
        table.add_row(row.kind, f"{row.count:,}", f"{row.per_second:,.1f}", *times, errors)
    console = Console(width=120)
    console.print(table)
    counts = ", ".join(f"{count:,} {name}" for name, count in tally.counts.items())
    console.print(f"{seconds:.0f} seconds: {counts}; {tally.failures:,} errors", highlight=False)


def write(tally: Tally, seconds: float, path: Path) -> None:
    """Write the same as JSON."""
    found = {
        "seconds": round(seconds, 1),
        "counts": dict(tally.counts),
        "errors": tally.failures,
        "calls": [row.__dict__ for row in rows(tally, seconds)],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found, indent=2) + "\n")
