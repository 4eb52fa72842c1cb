"""Who has beaten whom: counts of pairs of seats, in whole numbers and by groups of blocks.

The order of results cannot matter, and the memory does not grow with them.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from services.tournaments.results import BlockResult

Matrix = NDArray[np.float64]

GROUPS: Final = 128
"""Blocks are told apart as long as there are no more of them than this, and fall into so many groups beyond."""
LEVEL: Final = 0.95


@dataclass(frozen=True)
class Pair:
    """How one entrant fared against another, over all pairs of their seats at common tables."""

    entrant: int
    opponent: int
    wins: float
    """A tie is half a win."""
    share: float
    """Wins a pair of seats: equals have 0.5."""
    low: float
    high: float
    """A 95 % interval over blocks."""


class Pairs:
    """Who has beaten whom, by groups of blocks."""

    def __init__(self, entrants: int) -> None:
        self.entrants: Final = entrants
        self._groups: Final[list[array[int] | None]] = [None] * GROUPS
        self.blocks = 0

    def add(self, result: BlockResult) -> None:
        """Add a block."""
        self.blocks += 1
        counts = self._group(result.index % GROUPS)
        for match in result.matches:
            seats = list(zip(match.entrants, match.ranks, strict=True))
            for one, rank in seats:
                for other, other_rank in seats:
                    if one != other and rank <= other_rank:
                        counts[one * self.entrants + other] += 2 if rank < other_rank else 1

    def _group(self, number: int) -> array[int]:
        group = self._groups[number]
        if group is None:
            group = self._groups[number] = array("i", bytes(4 * self.entrants**2))
        return group

    def groups(self) -> Matrix:
        """Wins of each entrant (row) over each other (column) in each group that has blocks; a tie is half a win."""
        found = [np.frombuffer(group, np.intc) for group in self._groups if group is not None]
        wins = np.array(found, np.float64) / 2
        return wins.reshape(len(found), self.entrants, self.entrants)

    def shares(self) -> Iterator[Pair]:
        """All ordered pairs of entrants that met."""
        groups = self.groups()
        for entrant in range(self.entrants):
            for opponent in range(self.entrants):
                wins = groups[:, entrant, opponent]
                met = wins + groups[:, opponent, entrant]
                if met.any():
                    share = float(wins.sum() / met.sum())
                    yield Pair(entrant, opponent, float(wins.sum()), share, *interval(wins[met > 0], met[met > 0]))


def interval(wins: Matrix, met: Matrix) -> tuple[float, float]:
    """Where the share of wins lies with 95 %: Student's t over groups of blocks, which are independent.

    Groups that were all won, or all lost, tell as much as so many tosses of a coin that all fell alike.
    """
    groups = len(wins)
    if groups < 2:
        return (0.0, 1.0)
    share = float(wins.sum() / met.sum())
    if share in (0.0, 1.0):
        reach = 1 - ((1 - LEVEL) / 2) ** (1 / groups)
    else:
        spread = sqrt(float(np.square(wins - share * met).sum()) * groups / (groups - 1)) / float(met.sum())
        reach = float(stdtrit(groups - 1, (1 + LEVEL) / 2)) * spread
    return (max(0.0, share - reach), min(1.0, share + reach))
