"""Sums of results, in whole numbers: the order in which blocks are added cannot matter."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import lcm
from typing import Final

from services.tournaments.results.estimates import Sums
from services.tournaments.results.results import BlockResult, MatchResult

MOST_SEATS: Final = 5
UNITS: Final = lcm(*range(1, MOST_SEATS + 1))
"""What a win is divided into, so that any number of seats can share it."""


@dataclass
class EntrantTally:
    """One entrant's sums; an entrant with two chairs in a match has played twice."""

    played: int = 0
    points: int = 0
    ranks: int = 0
    forfeits: int = 0
    wins: Sums = field(default_factory=Sums)
    """In `UNITS` a chair: a match is one win, shared by those of rank 1."""

    @property
    def blocks(self) -> int:
        """Blocks that it has played in."""
        return self.wins.blocks

    @property
    def win_share(self) -> float:
        """Wins a chair."""
        return self.wins.share

    @property
    def mean_rank(self) -> float:
        """Rank a chair."""
        return self.ranks / self.played if self.played else 0.0

    def add(self, other: EntrantTally) -> None:
        """Add the sums of another line."""
        self.played += other.played
        self.points += other.points
        self.ranks += other.ranks
        self.forfeits += other.forfeits
        self.wins.add(other.wins)


class Tally:
    """The lines of all entrants."""

    def __init__(self, entrants: int) -> None:
        self.lines: Final = [EntrantTally() for _ in range(entrants)]

    def add(self, result: BlockResult) -> None:
        """Add a block."""
        self.add_lines(self.lines_of(result))

    def lines_of(self, result: BlockResult) -> dict[int, EntrantTally]:
        """The lines that a block makes, by entrant."""
        lines: dict[int, EntrantTally] = {}
        wins: Counter[int] = Counter()
        for match in result.matches:
            _add_match(lines, wins, match)
        for entrant, line in lines.items():
            line.wins = Sums.of_block(wins[entrant], line.played * UNITS)
        return lines

    def add_lines(self, block: dict[int, EntrantTally]) -> None:
        """Add the lines of a block."""
        for entrant, line in block.items():
            self.lines[entrant].add(line)

    def merge(self, other: Tally) -> None:
        """Add all that another tally has."""
        for line, more in zip(self.lines, other.lines, strict=True):
            line.add(more)


def _add_match(lines: dict[int, EntrantTally], wins: Counter[int], match: MatchResult) -> None:
    win = UNITS // match.ranks.count(1)
    for seat, entrant in enumerate(match.entrants):
        line = lines.setdefault(entrant, EntrantTally())
        line.played += 1
        wins[entrant] += win if match.ranks[seat] == 1 else 0
        line.points += match.points[seat]
        line.ranks += match.ranks[seat]
        line.forfeits += seat in match.forfeits
