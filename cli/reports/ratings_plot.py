"""SVG plot of the ratings of a tournament, with their intervals, in the colours and font of the games' pictures."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor, log10
from pathlib import Path
from typing import Final

from cli.reports.outcome import Outcome
from cli.translation import gettext, grouped, labelled
from engine_core.pictures.svg import Drawing, Value
from engine_core.pictures.themes import LIGHT

PLOT_WIDTH: Final = 760
MARGIN_LEFT: Final = 220
MARGIN_RIGHT: Final = 30
MARGIN_TOP: Final = 50
ROW_HEIGHT: Final = 30
MARGIN_BOTTOM: Final = 50
AXIS_INTERVALS: Final = 6


def write_ratings_plot(outcome: Outcome, path: Path) -> None:
    """Write the plot: one row an entrant, the best at the top."""
    path.write_text(_svg(outcome) + "\n", encoding="utf-8")


def _svg(outcome: Outcome) -> str:
    labels = outcome.plan.labels
    rated = [(labels[entrant], rating) for entrant, rating in enumerate(outcome.report.ratings) if rating]
    rated.sort(key=lambda each: -each[1].value)
    ends = [end for _, rating in rated for end in (rating.value, *(rating.interval or ()))]
    axis = _Axis(min(ends, default=0.0), max(ends, default=0.0))
    bottom = MARGIN_TOP + ROW_HEIGHT * len(rated)
    title = gettext(
        "{game}, tables of {seats}: {matches} matches",
        game=outcome.plan.game,
        seats=outcome.plan.table_size,
        matches=grouped(outcome.report.matches),
    )
    ranking = ", ".join([f"{label} {rating.value:+.0f}" for label, rating in rated])
    drawing = Drawing(PLOT_WIDTH, bottom + MARGIN_BOTTOM, title, labelled(gettext("rating"), ranking))
    drawing.element("rect", {"width": PLOT_WIDTH, "height": bottom + MARGIN_BOTTOM, "fill": LIGHT.paper})
    _draw_text(drawing, MARGIN_LEFT, MARGIN_TOP - 25, title, "start")
    for tick in axis.ticks():
        x = axis.x(tick)
        ends_of_line: dict[str, Value] = {"x1": x, "y1": MARGIN_TOP - 10, "x2": x, "y2": bottom}
        drawing.element("line", {**ends_of_line, "stroke": LIGHT.line})
        _draw_text(drawing, x, bottom + 20, f"{tick:+.0f}" if tick else "0", "middle")
    caption = gettext("rating, with its 95 % interval over blocks")
    _draw_text(drawing, (MARGIN_LEFT + PLOT_WIDTH - MARGIN_RIGHT) / 2, bottom + 40, caption, "middle")
    for row, (label, rating) in enumerate(rated):
        y = MARGIN_TOP + ROW_HEIGHT * (row + 0.5)
        _draw_text(drawing, MARGIN_LEFT - 15, y + 5, label, "end")
        if rating.interval:
            low, high = map(axis.x, rating.interval)
            drawing.element("line", {"x1": low, "y1": y, "x2": high, "y2": y, "stroke": LIGHT.ink, "stroke_width": 3})
        drawing.element("circle", {"cx": axis.x(rating.value), "cy": y, "r": 6, "fill": LIGHT.accent})
    return drawing.svg()


def _draw_text(drawing: Drawing, x: float, y: float, text: str, anchor: str) -> None:
    drawing.text(x, y, text, {"text_anchor": anchor, "font_size": 14, "fill": LIGHT.ink})


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
