"""Results of blocks and matches, and their encoding in the ledger: equal results have equal bytes."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, field
from typing import Final

FORFEIT_NOTATION: Final = "forfeit"
"""Stands in `MatchResult.notations` for a seat that forfeits instead of making a move."""
COMPRESSION_LEVEL: Final = 1
"""A higher one saves a quarter of the bytes, and takes half as long again."""


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
    notations: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """Choices of the seats to move, in order; nature's draws follow from the seed of the block."""


@dataclass(frozen=True)
class BlockResult:
    """The results of all matches of a block."""

    index: int
    matches: tuple[MatchResult, ...]

    def encode(self) -> bytes:
        """The matches as JSON, without the block's index."""
        rows = [[m.entrants, m.points, m.ranks, m.reason, m.moves, m.forfeits] for m in self.matches]
        return json.dumps(rows, separators=(",", ":")).encode()

    def encode_moves(self) -> bytes:
        """The notations of all matches, compressed. Not part of `encode`: versions of zlib compress differently."""
        text = "\n\n".join(["\n".join(match.notations) for match in self.matches])
        return zlib.compress(text.encode(), COMPRESSION_LEVEL)

    @staticmethod
    def decode(index: int, data: bytes) -> BlockResult:
        """Decode what `encode` returned."""
        return BlockResult(index, tuple([_match(*row) for row in json.loads(data)]))


def _match(
    entrants: list[int], points: list[int], ranks: list[int], reason: str, moves: int, forfeits: list[int]
) -> MatchResult:
    return MatchResult(tuple(entrants), tuple(points), tuple(ranks), reason, moves, tuple(forfeits))


def decode_moves(data: bytes) -> list[list[str]]:
    """The notations of each match, from what `encode_moves` returned."""
    return [match.split("\n") if match else [] for match in zlib.decompress(data).decode().split("\n\n")]
