"""SVG plot of the ratings of a tournament, with their intervals."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor, log10
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from cli.reports.outcome import Outcome
from cli.translation import gettext, grouped

PLOT_WIDTH: Final = 760
MARGIN_LEFT: Final = 220
MARGIN_RIGHT: Final = 30
MARGIN_TOP: Final = 50
ROW_HEIGHT: Final = 30
MARGIN_BOTTOM: Final = 50
AXIS_INTERVALS: Final = 6


def write_ratings_plot(outcome: Outcome, path: Path) -> None:
    """Write the plot: one row an entrant, the best at the top."""
    path.write_text("\n".join(_svg_lines(outcome)) + "\n", encoding="utf-8")


def _svg_lines(outcome: Outcome) -> Iterator[str]:
    rated = [(entrant, rating) for entrant, rating in enumerate(outcome.report.ratings) if rating]
    order = sorted(rated, key=lambda each: -each[1].value)
    ends = [end for _, rating in rated for end in (rating.value, *(rating.interval or ()))]
    axis = _Axis(min(ends, default=0.0), max(ends, default=0.0))
    height = MARGIN_TOP + ROW_HEIGHT * len(order) + MARGIN_BOTTOM
    box = f'viewBox="0 0 {PLOT_WIDTH} {height}"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" {box} font-family="sans-serif" font-size="14">'
    yield f'<rect width="{PLOT_WIDTH}" height="{height}" fill="#ffffff"/>'
    title = gettext(
        "{game}, tables of {seats}: {matches} matches",
        game=outcome.plan.game,
        seats=outcome.plan.table_size,
        matches=grouped(outcome.report.matches),
    )
    yield _svg_text(MARGIN_LEFT, MARGIN_TOP - 25, title, "start")
    for tick in axis.ticks():
        x = axis.x(tick)
        yield f'<line x1="{x:.1f}" y1="{MARGIN_TOP - 10}" x2="{x:.1f}" y2="{height - MARGIN_BOTTOM}" stroke="#dddddd"/>'
        yield _svg_text(x, height - MARGIN_BOTTOM + 20, f"{tick:+.0f}" if tick else "0", "middle")
    yield _svg_text(
        (MARGIN_LEFT + PLOT_WIDTH - MARGIN_RIGHT) / 2,
        height - 10,
        gettext("rating, with its 95 % interval over blocks"),
        "middle",
    )
    for row, (entrant, rating) in enumerate(order):
        y = MARGIN_TOP + ROW_HEIGHT * (row + 0.5)
        yield _svg_text(MARGIN_LEFT - 15, y + 5, outcome.plan.labels[entrant], "end")
        if rating.interval:
            low, high = map(axis.x, rating.interval)
            yield f'<line x1="{low:.1f}" y1="{y}" x2="{high:.1f}" y2="{y}" stroke="#1f4e79" stroke-width="3"/>'
        yield f'<circle cx="{axis.x(rating.value):.1f}" cy="{y}" r="6" fill="#c0392b"/>'
    yield "</svg>"


def _svg_text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


class _Axis:
    """Horizontal axis of ratings, which begins and ends at round numbers."""

    def __init__(self, low: float, high: float) -> None:
        self._step: Final = _round_step((high - low) / AXIS_INTERVALS)
        self._low: Final = floor(low / self._step) * self._step
        self._high: Final = max(ceil(high / self._step) * self._step, self._low + self._step)

    def ticks(self) -> Iterator[float]:
        """The ratings of the tick marks."""
        for number in range(round((self._high - self._low) / self._step) + 1):
            yield self._low + number * self._step

    def x(self, rating: float) -> float:
        """The x coordinate of a rating, in pixels."""
        return MARGIN_LEFT + (PLOT_WIDTH - MARGIN_LEFT - MARGIN_RIGHT) * (rating - self._low) / (self._high - self._low)


def _round_step(least: float) -> float:
    """The least of 1, 2, 5, 10, 20 ... that is at least `least`."""
    power = 10.0 ** floor(log10(max(least, 1.0)))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least)
