"""Standings: what the results of the blocks come to, however many there are and in whatever order they come."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

from scipy.special import stdtrit

from services.tournaments.pairs import LEVEL, Pair, Pairs
from services.tournaments.plan import Plan
from services.tournaments.ratings import Rating, ratings
from services.tournaments.results import BlockResult
from services.tournaments.tally import Line, Tally


@dataclass(frozen=True)
class Standing:
    """One entrant; an entrant with two chairs in a match has played twice."""

    entrant: int
    label: str
    played: int
    blocks: int
    win_share: float
    """Wins a chair; a match is one win, shared by those of rank 1, so that equals have 1 / seats each."""
    win_share_low: float
    win_share_high: float
    """A 95 % interval over blocks."""
    mean_points: float
    mean_rank: float
    forfeits: int


@dataclass(frozen=True)
class Report:
    """Everything about a tournament as it stands."""

    standings: tuple[Standing, ...]
    """The best win share first, then the best mean rank, then in the order of the plan."""
    ratings: tuple[Rating, ...]
    """By entrant."""
    pairs: tuple[Pair, ...]
    """Those that met."""
    blocks: int
    matches: int


class Standings:
    """Sums over all blocks so far."""

    def __init__(self, plan: Plan) -> None:
        self._plan: Final = plan
        self.tally: Final = Tally(len(plan.entrants), plan.table_size)
        self.pairs: Final = Pairs(len(plan.entrants))

    def add(self, result: BlockResult) -> None:
        """Add a block."""
        self.add_lines(result, self.tally.lines_of(result))

    def add_lines(self, result: BlockResult, lines: dict[int, Line]) -> None:
        """Add a block whose lines are known."""
        self.tally.add_lines(lines)
        self.pairs.add(result)

    def rows(self) -> tuple[Standing, ...]:
        """The standings."""
        rows = [self._row(entrant, line) for entrant, line in enumerate(self.tally.lines)]
        return tuple(sorted(rows, key=lambda row: (row.played == 0, -row.win_share, row.mean_rank, row.entrant)))

    def report(self) -> Report:
        """The standings with all that takes a while."""
        return Report(
            self.rows(),
            tuple(ratings(self.pairs, self._plan.seed)),
            tuple(self.pairs.shares()),
            self.pairs.blocks,
            self.pairs.blocks * self._plan.table_size,
        )

    def _row(self, entrant: int, line: Line) -> Standing:
        low, high = interval(line, self.tally.unit)
        return Standing(
            entrant,
            self._plan.labels[entrant],
            line.played,
            line.blocks,
            line.win_share,
            low,
            high,
            line.points / line.played if line.played else 0.0,
            line.mean_rank,
            line.forfeits,
        )


def interval(line: Line, unit: int) -> tuple[float, float]:
    """Where the win share lies with 95 %: Student's t over the shares of the blocks, which are independent.

    Blocks that were all won, or all lost, tell as much as so many tosses of a coin that all fell alike.
    """
    blocks = line.blocks
    if blocks < 2:
        return (0.0, 1.0)
    mean = line.shares / blocks / unit
    squares = line.squares * blocks - line.shares**2
    if squares == 0 and mean in (0.0, 1.0):
        reach = 1 - ((1 - LEVEL) / 2) ** (1 / blocks)
    else:
        reach = float(stdtrit(blocks - 1, (1 + LEVEL) / 2)) * sqrt(squares / (blocks - 1)) / blocks / unit
    return (max(0.0, mean - reach), min(1.0, mean + reach))
