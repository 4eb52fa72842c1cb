"""What was played, as the ledger keeps it: equal results have equal bytes."""

from __future__ import annotations

import json
from dataclasses import dataclass


@dataclass(frozen=True)
class MatchResult:
    """One match; all tuples are by seat."""

    entrants: tuple[int, ...]
    """Numbers of the entrants."""
    points: tuple[int, ...]
    ranks: tuple[int, ...]
    """From 1; equal ones share it."""
    reason: str
    """Why it ended: a word of the game, or `move_limit`."""
    moves: int
    """Moves made, nature's included."""
    forfeits: tuple[int, ...] = ()
    """Seats whose bot broke down, in the order in which they left."""


@dataclass(frozen=True)
class BlockResult:
    """All matches of a block."""

    index: int
    matches: tuple[MatchResult, ...]

    def encode(self) -> bytes:
        """Its matches as bytes."""
        rows = [[m.entrants, m.points, m.ranks, m.reason, m.moves, m.forfeits] for m in self.matches]
        return json.dumps(rows, separators=(",", ":")).encode()

    @staticmethod
    def decode(index: int, data: bytes) -> BlockResult:
        """The result that `encode` wrote."""
        return BlockResult(index, tuple([_match(*row) for row in json.loads(data)]))


def _match(
    entrants: list[int], points: list[int], ranks: list[int], reason: str, moves: int, forfeits: list[int]
) -> MatchResult:
    return MatchResult(tuple(entrants), tuple(points), tuple(ranks), reason, moves, tuple(forfeits))
