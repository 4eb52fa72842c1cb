"""Sums of results, in whole numbers: the order in which blocks are added cannot matter."""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm
from typing import Final

from services.tournaments.results import BlockResult, MatchResult

MOST_SEATS: Final = 5
UNITS: Final = lcm(*range(1, MOST_SEATS + 1))
"""What a win is divided into, so that any number of seats can share it."""


@dataclass
class Line:
    """One entrant's sums; an entrant with two chairs in a match has played twice."""

    played: int = 0
    wins: int = 0
    """In `UNITS`: a match is one win, shared by those of rank 1."""
    points: int = 0
    ranks: int = 0
    forfeits: int = 0
    blocks: int = 0
    shares: int = 0
    """Sum of the win shares of the blocks, in units of the tally."""
    squares: int = 0
    """Sum of their squares."""

    @property
    def win_share(self) -> float:
        """Wins a chair."""
        return self.wins / (self.played * UNITS) if self.played else 0.0

    @property
    def mean_rank(self) -> float:
        """Rank a chair."""
        return self.ranks / self.played if self.played else 0.0

    def add(self, other: Line) -> None:
        """Add the sums of another line."""
        self.played += other.played
        self.wins += other.wins
        self.points += other.points
        self.ranks += other.ranks
        self.forfeits += other.forfeits
        self.blocks += other.blocks
        self.shares += other.shares
        self.squares += other.squares


class Tally:
    """The lines of all entrants; the win share of a block is counted in parts of `unit`."""

    def __init__(self, entrants: int, table_size: int) -> None:
        self.lines: Final = [Line() for _ in range(entrants)]
        self.unit: Final = UNITS * UNITS * table_size

    def add(self, result: BlockResult) -> None:
        """Add a block."""
        self.add_lines(self.lines_of(result))

    def lines_of(self, result: BlockResult) -> dict[int, Line]:
        """The lines that a block makes, by entrant."""
        block: dict[int, Line] = {}
        for match in result.matches:
            _add_match(block, match)
        for line in block.values():
            line.blocks = 1
            line.shares = line.wins * self.unit // (UNITS * line.played)
            line.squares = line.shares**2
        return block

    def add_lines(self, block: dict[int, Line]) -> None:
        """Add the lines of a block."""
        for entrant, line in block.items():
            self.lines[entrant].add(line)

    def merge(self, other: Tally) -> None:
        """Add all that another tally has."""
        for line, more in zip(self.lines, other.lines, strict=True):
            line.add(more)


def _add_match(block: dict[int, Line], match: MatchResult) -> None:
    win = UNITS // match.ranks.count(1)
    for seat, entrant in enumerate(match.entrants):
        line = block.setdefault(entrant, Line())
        line.played += 1
        line.wins += win if match.ranks[seat] == 1 else 0
        line.points += match.points[seat]
        line.ranks += match.ranks[seat]
        line.forfeits += seat in match.forfeits
