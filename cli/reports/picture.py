"""SVG plot of the ratings of a tournament, with their intervals."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor, log10
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from cli.reports.outcome import Outcome

WIDTH: Final = 760
LEFT: Final = 220
RIGHT: Final = 30
TOP: Final = 50
ROW: Final = 30
BOTTOM: Final = 50
TICKS: Final = 6


def write_picture(outcome: Outcome, path: Path) -> None:
    """Write the plot: one row an entrant, the best at the top."""
    path.write_text("\n".join(_picture(outcome)) + "\n", encoding="utf-8")


def _picture(outcome: Outcome) -> Iterator[str]:
    rated = [(entrant, rating) for entrant, rating in enumerate(outcome.report.ratings) if rating]
    order = sorted(rated, key=lambda each: -each[1].value)
    ends = [end for _, rating in rated for end in (rating.value, *(rating.interval or ()))]
    axis = _Axis(min(ends, default=0.0), max(ends, default=0.0))
    height = TOP + ROW * len(order) + BOTTOM
    box = f'viewBox="0 0 {WIDTH} {height}"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" {box} font-family="sans-serif" font-size="14">'
    yield f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>'
    title = f"{outcome.plan.game}, tables of {outcome.plan.table_size}: {outcome.report.matches:,} matches"
    yield _text(LEFT, TOP - 25, title, "start")
    for tick in axis.ticks():
        x = axis.x(tick)
        yield f'<line x1="{x:.1f}" y1="{TOP - 10}" x2="{x:.1f}" y2="{height - BOTTOM}" stroke="#dddddd"/>'
        yield _text(x, height - BOTTOM + 20, f"{tick:+.0f}" if tick else "0", "middle")
    yield _text((LEFT + WIDTH - RIGHT) / 2, height - 10, "rating, with its 95 % interval over blocks", "middle")
    for row, (entrant, rating) in enumerate(order):
        y = TOP + ROW * (row + 0.5)
        yield _text(LEFT - 15, y + 5, outcome.plan.labels[entrant], "end")
        if rating.interval:
            low, high = map(axis.x, rating.interval)
            yield f'<line x1="{low:.1f}" y1="{y}" x2="{high:.1f}" y2="{y}" stroke="#1f4e79" stroke-width="3"/>'
        yield f'<circle cx="{axis.x(rating.value):.1f}" cy="{y}" r="6" fill="#c0392b"/>'
    yield "</svg>"


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


class _Axis:
    """Horizontal axis of ratings, which begins and ends at round numbers."""

    def __init__(self, low: float, high: float) -> None:
        self._step: Final = _round_step((high - low) / TICKS)
        self._low: Final = floor(low / self._step) * self._step
        self._high: Final = max(ceil(high / self._step) * self._step, self._low + self._step)

    def ticks(self) -> Iterator[float]:
        """The ratings of the tick marks."""
        for number in range(round((self._high - self._low) / self._step) + 1):
            yield self._low + number * self._step

    def x(self, rating: float) -> float:
        """The x coordinate of a rating, in pixels."""
        return LEFT + (WIDTH - LEFT - RIGHT) * (rating - self._low) / (self._high - self._low)


def _round_step(least: float) -> float:
    """The least of 1, 2, 5, 10, 20 ... that is at least `least`."""
    power = 10.0 ** floor(log10(max(least, 1.0)))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least)
