"""The Dask task that plays a chunk in a worker, and stops when the task is cancelled.

Dask cannot interrupt a running task, but its worker knows when the task was cancelled or released: the tournament was
cancelled or preempted, or its coordinator is gone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from distributed import get_worker

from services.tournaments.play.chunks import Chunk, ChunkResult, play_chunk
from services.tournaments.play.remote_chunks import Cancelled

ID_MARK: Final = "#"
"""Between the address of a worker and the end of its id: in Kubernetes a restarted worker has its old address."""


def play_in_worker(chunk: Chunk) -> ChunkResult:
    """Play a chunk in a Dask worker; the result of a cancelled chunk is empty."""
    worker = get_worker()
    key = worker.get_current_task()

    def check() -> None:
        task = worker.state.tasks.get(key)
        if task is None or task.state == "cancelled":
            raise Cancelled

    try:
        return replace(play_chunk(chunk, check), worker=f"{worker.contact_address}{ID_MARK}{worker.id[-8:]}")
    except Cancelled:
        return ChunkResult((), 0.0)
