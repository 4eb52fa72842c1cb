"""The Dask task that plays a chunk in a worker, and stops when the task is cancelled.

Dask cannot interrupt a running task, but its worker knows when the task was cancelled or released: the tournament was
cancelled or preempted, or its coordinator is gone.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final

from distributed import get_worker

from services.bots.imported.bots import ImportedBotLimits
from services.tournaments.play.blocks import local_chooser
from services.tournaments.play.chunks import Chunk, ChunkResult, play_chunk
from services.tournaments.play.imported_bots import ImportedPlayers
from services.tournaments.play.remote_chunks import Cancelled

ID_MARK: Final = "#"
"""Between the address of a worker and the end of its id: in Kubernetes a restarted worker has its old address."""


@lru_cache(maxsize=1)
def imported_players(limits: ImportedBotLimits) -> ImportedPlayers:
    """The imported bots of this worker, whose processes end with it: to start one can take longer than a chunk."""
    return ImportedPlayers(limits)


def play_in_worker(chunk: Chunk, limits: ImportedBotLimits | None = None) -> ChunkResult:
    """Play a chunk in a Dask worker; the result of a cancelled chunk is empty.

    Without `limits` no imported bot plays: a chunk that has one fails.
    """
    chooser = imported_players(limits).chooser if limits else local_chooser
    worker = get_worker()
    key = worker.get_current_task()

    def check() -> None:
        task = worker.state.tasks.get(key)
        if task is None or task.state == "cancelled":
            raise Cancelled

    try:
        return replace(play_chunk(chunk, check, chooser), worker=f"{worker.contact_address}{ID_MARK}{worker.id[-8:]}")
    except Cancelled:
        return ChunkResult((), 0.0)
