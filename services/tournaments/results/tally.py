"""Sums of results by entrant (plays, points, ranks, wins), as integers: the order of blocks cannot matter."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import lcm
from typing import Final

from services.tournaments.results.estimates import BlockSums
from services.tournaments.results.results import BlockResult, MatchResult

MAX_SEATS: Final = 5
UNITS_A_WIN: Final = lcm(*range(1, MAX_SEATS + 1))
"""Units of a win: any number of seats of rank 1 can share them evenly."""


@dataclass
class EntrantTally:
    """The sums of one entrant. Two seats in a match count as two plays."""

    played: int = 0
    points: int = 0
    ranks: int = 0
    forfeits: int = 0
    wins: BlockSums = field(default_factory=BlockSums)
    """In `UNITS_A_WIN`, of at most `UNITS_A_WIN` a seat: a match is one win, shared by the seats of rank 1."""

    @property
    def blocks(self) -> int:
        """Number of blocks that it has played in."""
        return self.wins.blocks

    @property
    def win_share(self) -> float:
        """Wins divided by seats played; 0 before it has played."""
        return self.wins.share

    @property
    def mean_rank(self) -> float:
        """Mean rank over its seats; 0 before it has played."""
        return self.ranks / self.played if self.played else 0.0

    def add(self, other: EntrantTally) -> None:
        """Add other sums of the same entrant."""
        self.played += other.played
        self.points += other.points
        self.ranks += other.ranks
        self.forfeits += other.forfeits
        self.wins.add(other.wins)


class Tally:
    """The sums of all entrants, by number."""

    def __init__(self, entrants: int) -> None:
        self.lines: Final = [EntrantTally() for _ in range(entrants)]

    def add(self, result: BlockResult) -> None:
        """Add the result of a block."""
        self.add_lines(self.lines_of(result))

    def lines_of(self, result: BlockResult) -> dict[int, EntrantTally]:
        """The sums of a block's result, by entrant."""
        lines: dict[int, EntrantTally] = {}
        wins: Counter[int] = Counter()
        for match in result.matches:
            _add_match(lines, wins, match)
        for entrant, line in lines.items():
            line.wins = BlockSums.of_block(wins[entrant], line.played * UNITS_A_WIN)
        return lines

    def add_lines(self, block: dict[int, EntrantTally]) -> None:
        """Add the sums of a block, from `lines_of`."""
        for entrant, line in block.items():
            self.lines[entrant].add(line)

    def merge(self, other: Tally) -> None:
        """Add the sums of another tally of the same entrants."""
        for line, more in zip(self.lines, other.lines, strict=True):
            line.add(more)


def _add_match(lines: dict[int, EntrantTally], wins: Counter[int], match: MatchResult) -> None:
    win = UNITS_A_WIN // match.ranks.count(1)
    for seat, entrant in enumerate(match.entrants):
        line = lines.setdefault(entrant, EntrantTally())
        line.played += 1
        wins[entrant] += win if match.ranks[seat] == 1 else 0
        line.points += match.points[seat]
        line.ranks += match.ranks[seat]
        line.forfeits += seat in match.forfeits
