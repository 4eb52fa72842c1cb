"""Worker pools and schedulers for tests of tournaments, and stubs of `play_chunk`."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from typing import Final

import psutil
from distributed import get_worker

from services.tournaments.ledger.ledger import Ledger, UnknownTournament
from services.tournaments.plan.plan import Spec
from services.tournaments.play.chunks import Chunk, ChunkResult, play_chunk
from services.tournaments.play.worker import play_in_worker
from services.tournaments.play.worker_pool import Stopped, WorkerPool
from services.tournaments.results.results import BlockResult, MatchResult
from tests.redis_server import free_port
from tests.services.processes import ROOT

TIMEOUT_SECONDS: Final = 120.0


def first_entrant_wins(chunk: Chunk) -> ChunkResult:
    """Stub that plays nothing: the first entrant of the table wins."""
    lines = []
    for block in chunk.blocks:
        order = [*block.table]
        ranks = tuple(range(1, len(order) + 1))
        match = MatchResult(tuple(order), ranks[::-1], ranks, "end", 50)
        lines.append((block.index, BlockResult(block.index, (match,) * len(order)).encode()))
    return ChunkResult(tuple(lines), 0.0)


def play_slowly(chunk: Chunk) -> ChunkResult:
    """Play the chunk, but slowly enough for a test to interrupt it."""
    time.sleep(0.1 * len(chunk.blocks))
    played = play_chunk(chunk)
    return replace(played, seconds=0.5 * len(chunk.blocks))


def play_wrongly_in_worker_0(chunk: Chunk) -> ChunkResult:
    """Play the chunk, but in the first worker of a local cluster on another seed."""
    if get_worker().name == 0:
        chunk = replace(chunk, spec=replace(Spec.from_json(chunk.spec), seed=99).to_json())
    return play_in_worker(chunk)


def play_replays_wrongly(chunk: Chunk) -> ChunkResult:
    """Play the chunk, but on another seed if it is a replay."""
    if chunk.avoid:
        chunk = replace(chunk, spec=replace(Spec.from_json(chunk.spec), seed=99).to_json())
    return play_in_worker(chunk)


def raise_memory_error(chunk: Chunk) -> ChunkResult:
    """Stub that raises an error at every worker."""
    raise MemoryError("no worker has so much")


def kill_worker(chunk: Chunk) -> ChunkResult:
    """Stub that kills its worker process."""
    os._exit(1)


class InProcessPool(WorkerPool):
    """Worker pool that plays in this process."""

    def __init__(self, play: Callable[[Chunk], ChunkResult] = first_entrant_wins) -> None:
        super().__init__(1)
        self._play_chunk = play
        self._chunks: list[Chunk] = []
        self._halt = False

    @property
    def in_flight(self) -> int:
        return len(self._chunks)

    @property
    def has_room(self) -> bool:
        return len(self._chunks) < 3

    def open(self) -> None:
        """Nothing to open."""

    def stop(self) -> None:
        """Make the next call of `next` raise `Stopped`."""
        self._halt = True

    def cancel_all(self) -> None:
        self._chunks.clear()

    def submit(self, chunk: Chunk) -> None:
        """Queue a chunk."""
        self._chunks.append(chunk)

    def next(self, seconds: float) -> ChunkResult | None:
        """Play the oldest queued chunk in this process."""
        if self._halt:
            raise Stopped
        return self._play_chunk(self._chunks.pop(0))


def worker_pids() -> list[int]:
    """Process ids of the workers that this process has started."""
    found = []
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):  # it may just have ended
            if "spawn_main" in " ".join(process.cmdline()):
                found.append(process.pid)
    return found


class DaskProcesses:
    """A scheduler and workers in separate processes, as in production."""

    def __init__(self) -> None:
        self._port: Final = free_port()
        self._processes: Final[list[subprocess.Popen[bytes]]] = []
        self.address: Final = f"tcp://127.0.0.1:{self._port}"

    def start_scheduler(self) -> subprocess.Popen[bytes]:
        return self._start("scheduler", "--host", "127.0.0.1", "--port", str(self._port), "--no-dashboard", "--no-show")

    def start_worker(self) -> subprocess.Popen[bytes]:
        words = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1", "--death-timeout", "20")
        return self._start("worker", self.address, *words)

    def kill_all(self) -> None:
        for process in self._processes:
            process.kill()
            process.wait()

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        """Start a Dask command in a subprocess."""
        process = subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]],
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": ""},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._processes.append(process)
        return process


@contextmanager
def dask_processes(workers: int) -> Iterator[DaskProcesses]:
    """Start a scheduler with `workers`, or nothing if 0; all are killed when the block ends."""
    pool = DaskProcesses()
    try:
        if workers:
            pool.start_scheduler()
        for _ in range(workers):
            pool.start_worker()
        yield pool
    finally:
        pool.kill_all()


def wait_until_done(ledger: Ledger, tournament_id: str, blocks: int) -> None:
    """Wait until `blocks` blocks have results."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while _done(ledger, tournament_id) < blocks:
        assert time.monotonic() < deadline, "it takes too long"
        time.sleep(0.02)


def _done(ledger: Ledger, tournament_id: str) -> int:
    """Number of blocks with results; 0 if the tournament has not been created yet."""
    try:
        return ledger.tournament(tournament_id).done
    except UnknownTournament:
        return 0


def all_results(ledger: Ledger, tournament_id: str, blocks: int) -> Sequence[bytes | None]:
    """The results in the ledger, by block."""
    return ledger.results(tournament_id, 0, blocks)


@cache
def expected_results(spec: Spec, blocks: int) -> list[bytes]:
    """The expected results of a round robin, played in a plain loop."""
    from services.tournaments.plan.plan import Block
    from services.tournaments.plan.tables import EvenTables
    from services.tournaments.play.blocks import play_block

    tables = EvenTables(range(len(spec.entrants)), spec.table_size)
    return [play_block(spec, Block(index, tables[index % len(tables)])).encode() for index in range(blocks)]
