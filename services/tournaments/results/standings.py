"""Standings: what the results of the blocks come to, however many there are and in whatever order they come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from services.tournaments.plan.formats import planned_blocks
from services.tournaments.plan.plan import Plan
from services.tournaments.results.estimates import Interval
from services.tournaments.results.pairs import Pair, Pairs
from services.tournaments.results.ratings import Rating, ratings
from services.tournaments.results.results import BlockResult
from services.tournaments.results.tally import EntrantTally, Tally


@dataclass(frozen=True)
class Standing:
    """One entrant; an entrant with two chairs in a match has played twice."""

    entrant: int
    label: str
    played: int
    blocks: int
    win_share: float | None
    """Wins a chair; a match is one win, shared by those of rank 1, so that equals have 1 / seats each.

    None, as the means are, before it has played.
    """
    win_share_interval: Interval | None
    """With 95 %, over blocks; None where nothing can be said."""
    mean_points: float | None
    mean_rank: float | None
    forfeits: int


@dataclass(frozen=True)
class Report:
    """Everything about a tournament as it stands."""

    standings: tuple[Standing, ...]
    """The best win share first, then the best mean rank, then in the order of the plan."""
    ratings: tuple[Rating | None, ...]
    """By entrant; None before it has played."""
    pairs: tuple[Pair, ...]
    """Those that met."""
    blocks: int
    matches: int


class Standings:
    """Sums over all blocks so far."""

    def __init__(self, plan: Plan) -> None:
        self._plan: Final = plan
        self.tally: Final = Tally(len(plan.entrants))
        self.pairs: Final = Pairs(len(plan.entrants), planned_blocks(plan))

    def add(self, result: BlockResult) -> None:
        """Add a block."""
        self.add_lines(result, self.tally.lines_of(result))

    def add_lines(self, result: BlockResult, lines: dict[int, EntrantTally]) -> None:
        """Add a block whose lines are known."""
        self.tally.add_lines(lines)
        self.pairs.add(result)

    def rows(self) -> tuple[Standing, ...]:
        """The standings."""
        lines = self.tally.lines
        order = sorted(range(len(lines)), key=lambda number: (*_place(lines[number]), number))
        return tuple([self._row(entrant, lines[entrant]) for entrant in order])

    def report(self) -> Report:
        """The standings with all that takes a while."""
        return Report(
            self.rows(),
            tuple(ratings(self.pairs)),
            tuple(self.pairs.shares()),
            self.pairs.blocks,
            self.pairs.blocks * self._plan.table_size,
        )

    def _row(self, entrant: int, line: EntrantTally) -> Standing:
        has_played = line.played > 0
        return Standing(
            entrant,
            self._plan.labels[entrant],
            line.played,
            line.blocks,
            line.win_share if has_played else None,
            line.wins.interval(),
            line.points / line.played if has_played else None,
            line.mean_rank if has_played else None,
            line.forfeits,
        )


def _place(line: EntrantTally) -> tuple[bool, float, float]:
    return (line.played == 0, -line.win_share, line.mean_rank)
