"""Results of blocks and matches, and their encoding in the ledger: equal results have equal bytes."""

from __future__ import annotations

import json
from dataclasses import dataclass


@dataclass(frozen=True)
class MatchResult:
    """The result of one match; all tuples but `forfeits` are by seat."""

    entrants: tuple[int, ...]
    """Numbers of the entrants."""
    points: tuple[int, ...]
    ranks: tuple[int, ...]
    """From 1; tied seats have the same rank."""
    reason: str
    """Why it ended: a reason of the game's score, or `move_limit`."""
    moves: int
    """Number of moves made, nature's included."""
    forfeits: tuple[int, ...] = ()
    """Seats whose bot failed, in the order in which they left."""


@dataclass(frozen=True)
class BlockResult:
    """The results of all matches of a block."""

    index: int
    matches: tuple[MatchResult, ...]

    def encode(self) -> bytes:
        """The matches as JSON, without the block's index."""
        rows = [[m.entrants, m.points, m.ranks, m.reason, m.moves, m.forfeits] for m in self.matches]
        return json.dumps(rows, separators=(",", ":")).encode()

    @staticmethod
    def decode(index: int, data: bytes) -> BlockResult:
        """Decode what `encode` returned."""
        return BlockResult(index, tuple([_match(*row) for row in json.loads(data)]))


def _match(
    entrants: list[int], points: list[int], ranks: list[int], reason: str, moves: int, forfeits: list[int]
) -> MatchResult:
    return MatchResult(tuple(entrants), tuple(points), tuple(ranks), reason, moves, tuple(forfeits))
