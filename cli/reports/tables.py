"""Terminal tables of a tournament's standings and pairwise results."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE
from rich.table import Column, Table
from rich.text import Text

from cli.reports.outcome import Outcome
from cli.translation import gettext, grouped
from services.tournaments.results.estimates import Interval
from services.tournaments.results.pairs import Pair
from services.tournaments.results.ratings import Rating
from services.tournaments.results.sprt import SprtState
from services.tournaments.results.standings import Standing

MAX_LIVE_ROWS = 40
"""Rows of the live standings."""
MAX_PAIRS = 12
"""Most entrants whose table of pairs fits on a screen."""


def standings(rows: Sequence[Standing], ratings: Sequence[Rating | None], title: str) -> Table:
    """A table of standings with 95 % intervals; without a column of ratings if `ratings` is empty."""
    table = Table(
        "", Column(gettext("entrant"), min_width=14, overflow="fold"), title=title, title_justify="left", box=SIMPLE
    )
    columns = [gettext("matches"), gettext("win share"), gettext("points"), gettext("rank")]
    for column in [*columns, gettext("rating")] if ratings else columns:
        table.add_column(column, justify="right")
    for place, row in enumerate(rows, 1):
        table.add_row(*_cells(place, row), *([_rating(ratings[row.entrant])] if ratings else []))
    return table


def _cells(place: int, row: Standing) -> tuple[str | Text, ...]:
    broken = f" ({gettext('{number} forfeits', number=row.forfeits)})" if row.forfeits else ""
    return (
        str(place),
        Text(row.label + broken),
        grouped(row.played),
        _with_interval(row.win_share, row.win_share_interval, "{:.3f}", "-"),
        "" if row.mean_points is None else f"{row.mean_points:.2f}",
        "" if row.mean_rank is None else f"{row.mean_rank:.2f}",
    )


def _rating(rating: Rating | None) -> str:
    return _with_interval(rating.value, rating.interval, "{:+.0f}", gettext(" to ")) if rating else ""


def _with_interval(value: float | None, interval: Interval | None, number_format: str, separator: str) -> str:
    """A value with its interval; empty for None."""
    if value is None:
        return ""
    bounds = (
        f" ({number_format.format(interval.low)}{separator}{number_format.format(interval.high)})" if interval else ""
    )
    return number_format.format(value) + bounds


def sprt_line(state: SprtState) -> str:
    """The state of a test in one line."""
    decision = (
        gettext("{hypothesis} is accepted", hypothesis=state.accepted) if state.accepted else gettext("undecided")
    )
    return gettext(
        "SPRT: {decision} after {blocks} blocks, LLR {llr} (H0 at {lower}, H1 at {upper})",
        decision=decision,
        blocks=grouped(state.blocks),
        llr=f"{state.llr:.2f}",
        lower=f"{state.lower:.2f}",
        upper=f"{state.upper:.2f}",
    )


def pairs(outcome: Outcome) -> Table:
    """A table of pairwise wins, in per cent of all pairs of seats, with 95 % intervals; a tie is half a win."""
    order = [row.entrant for row in outcome.report.standings][:MAX_PAIRS]
    labels = [Text(outcome.plan.labels[entrant]) for entrant in order]
    pair_of = {(pair.entrant, pair.opponent): pair for pair in outcome.report.pairs}
    table = Table(
        gettext("beats, in % →"),
        *[Column(label) for label in labels],
        title=gettext("Pairs"),
        title_justify="left",
        box=SIMPLE,
    )
    for label, one in zip(labels, order, strict=True):
        table.add_row(label, *[_share(pair_of.get((one, other))) for other in order])
    return table


def _share(pair: Pair | None) -> str:
    if pair is None:
        return ""
    bounds = f" ({100 * pair.interval.low:.0f}-{100 * pair.interval.high:.0f})" if pair.interval else ""
    return f"{100 * pair.share:.1f}{bounds}"
