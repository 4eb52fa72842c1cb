"""Pairwise wins of entrants: for each pair, counts over their pairs of seats at common tables.

The counts are integers, so the order of results cannot matter; the memory does not grow with their number.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.tournaments.results.estimates import BlockSums, Interval
from services.tournaments.results.results import BlockResult, MatchResult

Matrix = NDArray[np.float64]

MAX_BLOCK_GROUPS: Final = 128
"""Most groups of blocks for the ratings' intervals: with more blocks than this, several share a group."""
BLOCK_GROUP_LABEL: Final = b"fireside/tournament/group/1"


@dataclass(frozen=True)
class Pair:
    """The result of one entrant against another, over all pairs of their seats at common tables."""

    entrant: int
    opponent: int
    wins: float
    """A tie is half a win."""
    share: float
    """Wins divided by pairs of seats: 0.5 for equals."""
    interval: Interval | None
    """95 % interval of the share, over blocks; None before the second block."""


class Pairs:
    """Pairwise wins over all blocks, and, for the ratings' intervals, in groups of blocks."""

    def __init__(self, entrants: int, planned: int) -> None:
        """`planned` is the number of blocks of the whole tournament."""
        self.entrants: Final = entrants
        self.blocks = 0
        self._planned: Final = planned
        self._sums: Final[dict[tuple[int, int], BlockSums]] = {}
        """Sums by pair, the lower number first; a win counts 2, a tie 1."""
        self._groups: Final[list[array[int] | None]] = [None] * MAX_BLOCK_GROUPS

    def add(self, result: BlockResult) -> Mapping[tuple[int, int], int]:
        """Add the result of a block. Returns its wins of entrants over others: a win counts 2, a tie 1."""
        self.blocks += 1
        wins = pair_wins(result)
        group = self._group(group_of(result.index, self._planned))
        for (one, other), won in wins.items():
            group[one * self.entrants + other] += won
            if one < other:
                sums = BlockSums.of_block(won, won + wins[other, one])
                self._sums.setdefault((one, other), BlockSums()).add(sums)
        return wins

    def _group(self, number: int) -> array[int]:
        group = self._groups[number]
        if group is None:
            group = self._groups[number] = array("i", bytes(4 * self.entrants**2))
        return group

    def groups(self) -> Iterator[Matrix]:
        """For each group that has blocks: matrix of wins of entrants (rows) over others (columns); a tie is 0.5."""
        for group in self._groups:
            if group is not None:
                yield np.frombuffer(group, np.intc).reshape(self.entrants, self.entrants) / 2

    def sums(self, entrant: int, opponent: int) -> BlockSums | None:
        """The wins of an entrant over another, a win as 2, a tie as 1; None before they have met."""
        sums = self._sums.get((min(entrant, opponent), max(entrant, opponent)))
        return sums if sums is None or entrant < opponent else sums.complement

    def shares(self) -> Iterator[Pair]:
        """The results of all ordered pairs of entrants that met."""
        for entrant in range(self.entrants):
            for opponent in range(self.entrants):
                sums = self.sums(entrant, opponent)
                if sums is not None:
                    yield _pair(entrant, opponent, sums)


def pair_wins(result: BlockResult) -> Counter[tuple[int, int]]:
    """The wins of a block by entrant and opponent: for each pair of their seats 2 for a win, 1 for a tie."""
    wins: Counter[tuple[int, int]] = Counter()
    for match in result.matches:
        _add_match(wins, match)
    return wins


def group_of(index: int, planned: int) -> int:
    """The group of a block: its index, or for more than `MAX_BLOCK_GROUPS` blocks one drawn by a hash of the index.

    An index modulo that number would put all blocks of a table into few groups: blocks alternate between tables.
    """
    if planned <= MAX_BLOCK_GROUPS:
        return index
    return int.from_bytes(sha256(BLOCK_GROUP_LABEL + index.to_bytes(8, "big")).digest()[:4], "big") % MAX_BLOCK_GROUPS


def _pair(entrant: int, opponent: int, sums: BlockSums) -> Pair:
    return Pair(entrant, opponent, sums.wins / 2, sums.share, sums.interval())


def _add_match(wins: Counter[tuple[int, int]], match: MatchResult) -> None:
    seats = list(zip(match.entrants, match.ranks, strict=True))
    for one, rank in seats:
        for other, other_rank in seats:
            if one != other:
                wins[one, other] += 2 if rank < other_rank else rank == other_rank
