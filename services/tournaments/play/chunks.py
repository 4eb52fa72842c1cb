"""Chunks: batches of blocks that a worker plays as one task, sized to take about two seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from time import perf_counter
from typing import Final

from services.bots.remote.allowed import is_remote
from services.tournaments.plan.plan import Block, Spec, has_remote_bots
from services.tournaments.play.blocks import Chooser, local_chooser, never_cancel, play_block
from services.tournaments.results.results import BlockResult

CHUNK_SECONDS: Final = 2.0
MAX_CHUNK_BLOCKS: Final = 2048
MAX_CHUNK_GROWTH: Final = 4
"""A chunk has at most this many times the blocks of the largest chunk that was measured."""
AVERAGE_WEIGHT: Final = 0.3
"""Weight of the newest measurement in the moving average."""


@dataclass(frozen=True)
class Chunk:
    """Blocks of one tournament, and its plan as JSON, because chunks are sent to other processes."""

    spec: str
    blocks: tuple[Block, ...]
    avoid: str = ""
    """Worker that plays it only if there is no other."""


@dataclass(frozen=True)
class ChunkResult:
    """The results of a chunk as the ledger stores them, by block index, and the seconds it took to play."""

    lines: tuple[tuple[int, bytes], ...]
    seconds: float
    by_remote_bots: bool = False
    """Whether remote bots played in it; its duration then says nothing about the speed of workers."""
    moves: Mapping[int, bytes] = field(default_factory=dict)
    """The moves of its matches as the ledger stores them, by block index."""
    worker: str = ""
    """Name of the Dask worker that played it; empty for other players, whose blocks are not replayed."""

    @staticmethod
    def of_blocks(results: Iterable[BlockResult], start: float, *, by_remote_bots: bool = False) -> ChunkResult:
        """The result of a chunk that has been played since `start`, a value of `perf_counter`."""
        played = list(results)
        lines = tuple([(result.index, result.encode()) for result in played])
        moves = {result.index: result.encode_moves() for result in played}
        return ChunkResult(lines, perf_counter() - start, by_remote_bots, moves)


Play = Callable[[Chunk], ChunkResult]


@lru_cache(maxsize=16)
def _plan(text: str) -> Spec:
    return Spec.from_json(text)


def split_remote(chunk: Chunk) -> tuple[Chunk, list[Chunk]]:
    """Split a chunk into the blocks that workers can play, and one chunk for each block with remote bots."""
    spec = _plan(chunk.spec)
    if not any(map(is_remote, spec.bots)):
        return chunk, []
    ours = tuple([block for block in chunk.blocks if not has_remote_bots(spec, block)])
    remote_chunks = [Chunk(chunk.spec, (block,)) for block in chunk.blocks if has_remote_bots(spec, block)]
    return Chunk(chunk.spec, ours), remote_chunks


def play_chunk(
    chunk: Chunk, check: Callable[[], None] = never_cancel, chooser: Callable[..., Chooser] = local_chooser
) -> ChunkResult:
    """Play a chunk in this process. `check` is called many times a second; it may raise `Cancelled` to end that.

    `chooser` has the arguments of `local_chooser`.
    """
    start = perf_counter()
    spec = _plan(chunk.spec)
    checked = partial(chooser, check=check)
    return ChunkResult.of_blocks([play_block(spec, block, chooser=checked) for block in chunk.blocks], start)


class ChunkSizer:
    """Chooses the number of blocks in a chunk from the measured seconds a block, as a moving average."""

    def __init__(self, target: float = CHUNK_SECONDS) -> None:
        self._target: Final = target
        self._seconds = 0.0
        self._largest = 0

    def add_measurement(self, played: ChunkResult) -> None:
        """Record the duration of a chunk; chunks with remote bots are ignored."""
        if played.by_remote_bots:
            return
        blocks = len(played.lines)
        measured = played.seconds / blocks
        self._seconds += (AVERAGE_WEIGHT if self._largest else 1.0) * (measured - self._seconds)
        self._largest = max(self._largest, blocks)

    def next_size(self) -> int:
        """Number of blocks for the next chunk; 1 before the first measurement."""
        if not self._largest:
            return 1
        wanted = int(self._target / self._seconds) if self._seconds else MAX_CHUNK_BLOCKS
        return max(1, min(wanted, MAX_CHUNK_GROWTH * self._largest, MAX_CHUNK_BLOCKS))
