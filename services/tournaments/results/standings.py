"""Standings of a tournament, computed incrementally from results of blocks in any order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from services.tournaments.plan.formats import planned_blocks
from services.tournaments.plan.plan import Plan
from services.tournaments.results.estimates import Interval
from services.tournaments.results.pairs import Pair, Pairs
from services.tournaments.results.ratings import Rating, ratings
from services.tournaments.results.results import BlockResult
from services.tournaments.results.sprt import SequentialTest, SprtState
from services.tournaments.results.tally import EntrantTally, Tally


@dataclass(frozen=True)
class Standing:
    """A row of the standings: one entrant. Two seats in a match count as two plays."""

    entrant: int
    label: str
    played: int
    blocks: int
    win_share: float | None
    """Wins a seat; a match is one win, shared by the seats of rank 1, so that equal entrants have 1 / seats each.

    None, like the means, before it has played.
    """
    win_share_interval: Interval | None
    """95 % interval, over blocks; None before the second block."""
    mean_points: float | None
    mean_rank: float | None
    forfeits: int


@dataclass(frozen=True)
class Report:
    """Standings, ratings and pairwise results of a tournament so far."""

    standings: tuple[Standing, ...]
    """The best win share first, then the best mean rank, then in the order of the plan."""
    ratings: tuple[Rating | None, ...]
    """By entrant; None before it has met another."""
    pairs: tuple[Pair, ...]
    """Pairs of entrants that have met."""
    blocks: int
    matches: int
    sprt: SprtState | None
    """The state of the plan's test; None for a plan without one."""


class Standings:
    """Accumulates results of blocks, and computes standings from the sums.

    Their order does not matter, except for a plan with a test, which needs that of the plan.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan: Final = plan
        self.tally: Final = Tally(len(plan.entrants))
        self.pairs: Final = Pairs(len(plan.entrants), planned_blocks(plan))
        self.test: Final = SequentialTest(plan.sprt) if plan.sprt else None

    def add(self, result: BlockResult) -> None:
        """Add the result of a block."""
        self.add_lines(result, self.tally.lines_of(result))

    def add_lines(self, result: BlockResult, lines: dict[int, EntrantTally]) -> None:
        """Add the result of a block whose sums by entrant (`Tally.lines_of`) are already computed."""
        self.tally.add_lines(lines)
        wins = self.pairs.add(result)
        if self.test:
            self.test.add(wins[0, 1] / (wins[0, 1] + wins[1, 0]))

    def rows(self) -> tuple[Standing, ...]:
        """The standings, best first, without ratings and pairs."""
        lines = self.tally.lines
        order = sorted(range(len(lines)), key=lambda number: (*_place(lines[number]), number))
        return tuple([self._row(entrant, lines[entrant]) for entrant in order])

    def report(self) -> Report:
        """The standings with ratings and pairs, which take long to compute for many entrants."""
        return Report(
            self.rows(),
            tuple(ratings(self.pairs)),
            tuple(self.pairs.shares()),
            self.pairs.blocks,
            self.pairs.blocks * self._plan.table_size,
            self.test.state() if self.test else None,
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
