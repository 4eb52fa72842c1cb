"""Plays a chunk in a Dask worker, and stops when its result is no longer wanted.

Dask cannot end a task that runs, but its worker knows when nobody wants it any more: its tournament was cancelled or
gave way, or its coordinator is gone.
"""

from __future__ import annotations

from distributed import get_worker

from services.tournaments.play.chunks import Chunk, ChunkResult, play_chunk
from services.tournaments.play.remote_chunks import Cancelled


def play_in_worker(chunk: Chunk) -> ChunkResult:
    """Play a chunk in a worker; nothing comes of one that nobody wants any more."""
    worker = get_worker()
    key = worker.get_current_task()

    def check() -> None:
        task = worker.state.tasks.get(key)
        if task is None or task.state == "cancelled":
            raise Cancelled

    try:
        return play_chunk(chunk, check)
    except Cancelled:
        return ChunkResult((), 0.0)
