"""Chunks: the unit of work of a worker, as many blocks as it plays in a second or two."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from time import perf_counter
from typing import Final

from services.tournaments.plan.plan import Block, Spec, has_remote_bots, is_remote_entrant
from services.tournaments.play.blocks import always, local_chooser, play_block

TARGET_SECONDS: Final = 2.0
MOST_BLOCKS: Final = 2048
GROWTH: Final = 4
"""A chunk is at most so many times as long as the longest that was measured."""
WEIGHT: Final = 0.3
"""Of the newest measurement in the running mean."""


@dataclass(frozen=True)
class Chunk:
    """Blocks of one tournament; the plan is in JSON, because it goes to other processes."""

    spec: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class ChunkResult:
    """A chunk's results as the ledger keeps them, and how long they took."""

    lines: tuple[tuple[int, bytes], ...]
    seconds: float
    by_remote_bots: bool = False
    """Whether it took as long as others thought, which says nothing of what workers play."""


Play = Callable[[Chunk], ChunkResult]


@lru_cache(maxsize=16)
def _plan(text: str) -> Spec:
    return Spec.from_json(text)


def split_remote(chunk: Chunk) -> tuple[Chunk, list[Chunk]]:
    """The blocks that workers can play, and each of the others, which have remote bots, as a chunk of its own."""
    spec = _plan(chunk.spec)
    if not any(map(is_remote_entrant, spec.entrants)):
        return chunk, []
    ours = tuple([block for block in chunk.blocks if not has_remote_bots(spec, block)])
    remote_chunks = [Chunk(chunk.spec, (block,)) for block in chunk.blocks if has_remote_bots(spec, block)]
    return Chunk(chunk.spec, ours), remote_chunks


def play_chunk(chunk: Chunk, check: Callable[[], None] = always) -> ChunkResult:
    """Play a chunk in this process. `check` is called many times a second: what it raises ends that."""
    start = perf_counter()
    spec = _plan(chunk.spec)
    chooser = partial(local_chooser, check=check)
    lines = tuple([(block.index, play_block(spec, block, chooser=chooser).encode()) for block in chunk.blocks])
    return ChunkResult(lines, perf_counter() - start)


class Pace:
    """How many blocks make a chunk, learned from those that came back."""

    def __init__(self, target: float = TARGET_SECONDS) -> None:
        self._target: Final = target
        self._seconds = 0.0
        self._longest = 0

    def note(self, played: ChunkResult) -> None:
        """Learn from a chunk that a worker played."""
        if played.by_remote_bots:
            return
        blocks = len(played.lines)
        measured = played.seconds / blocks
        self._seconds += (WEIGHT if self._longest else 1.0) * (measured - self._seconds)
        self._longest = max(self._longest, blocks)

    def blocks(self) -> int:
        """How many to take next: one at first."""
        if not self._longest:
            return 1
        wanted = int(self._target / self._seconds) if self._seconds else MOST_BLOCKS
        return max(1, min(wanted, GROWTH * self._longest, MOST_BLOCKS))
