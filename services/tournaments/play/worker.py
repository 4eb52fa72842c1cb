"""Chunks in Dask workers: played for as long as somebody waits for them.

Dask cannot end a task that runs, but its worker knows when nobody wants it any more: its tournament was cancelled or
gave way, or its coordinator is gone.
"""

from __future__ import annotations

from distributed import get_worker

from services.tournaments.play.chunks import Chunk, Played, play_chunk
from services.tournaments.play.remote_chunks import CalledOff


def play_wanted(chunk: Chunk) -> Played:
    """Play a chunk in a worker; nothing comes of one that nobody wants any more."""
    worker = get_worker()
    key = worker.get_current_task()

    def check() -> None:
        task = worker.state.tasks.get(key)
        if task is None or task.state == "cancelled":
            raise CalledOff

    try:
        return play_chunk(chunk, check)
    except CalledOff:
        return Played((), 0.0)
