"""Fair scheduling of several tournaments: time slices, preemption and cancellation."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from distributed import Client, Worker
from fireside.tournament.v1 import tournament_pb2 as messages

from services.bots.remote.allowed import allowed_addresses
from services.tournaments.fair_share import FairShare
from services.tournaments.ledger.file import FileLedger
from services.tournaments.ledger.ledger import Ledger, Status, TournamentLeased
from services.tournaments.play.chunks import Chunk, ChunkResult
from services.tournaments.play.remote_chunks import RemoteChunk
from services.tournaments.play.worker_pool import SharedWorkers, WorkerPool
from services.tournaments.scheduler import CONCURRENT_TOURNAMENTS, Scheduler
from tests.services.processes import ROOT
from tests.services.tournaments.plans import SPEC
from tests.services.tournaments.pools import InProcessPool, dask_processes, first_entrant_wins

HUGE_SPEC = replace(SPEC, entrants=("mcts:iterations=1000000,depth=10000",) * 2, blocks=1)
SMALL_SPEC = replace(SPEC, entrants=("random",) * 2, blocks=5)
TIMEOUT_SECONDS = 240.0
MAX_STOP_SECONDS = 60.0
"""Seconds; it takes two or three where nothing else runs. The huge tournament would take hours."""


def wait_until(holds: Callable[[], bool], seconds: float = TIMEOUT_SECONDS) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it takes too long"
        time.sleep(0.05)


def status_of(ledger: Ledger, tournament_id: str) -> Status:
    return ledger.tournament(tournament_id).status


@contextmanager
def run_scheduler(ledger: Ledger, pool: Callable[[], WorkerPool], slice_seconds: float = 10.0) -> Iterator[None]:
    scheduler = Scheduler(ledger, pool, slice_seconds=slice_seconds)
    scheduler.start()
    try:
        yield
    finally:
        scheduler.stop()


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[FileLedger]:
    opened = FileLedger(tmp_path / "ledger.db")
    yield opened
    opened.close()


def busy_threads(dask_worker: Worker) -> int:
    """How many threads of a worker play something, whether or not anybody waits for it."""
    return len(dask_worker.active_threads)


def is_busy(client: Client) -> bool:
    """Whether a worker plays something."""
    return any(client.run(busy_threads).values())


def test_fault05_a_huge_tournament_does_not_delay_a_small_one_and_stops_when_cancelled(ledger: Ledger) -> None:
    pools = SharedWorkers(1, pools=CONCURRENT_TOURNAMENTS)
    with run_scheduler(ledger, pools.pool), Client(pools.address(), set_as_default=False) as client:
        ledger.create("huge", HUGE_SPEC, 1000)
        wait_until(lambda: is_busy(client))
        ledger.create("small", SMALL_SPEC, 1001)
        wait_until(lambda: status_of(ledger, "small") is Status.OVER)
        assert ledger.tournament("huge").leased
        ledger.cancel("huge")
        wait_until(lambda: not ledger.tournament("huge").leased, MAX_STOP_SECONDS)
        wait_until(lambda: not is_busy(client), MAX_STOP_SECONDS)
        ledger.create("next", SMALL_SPEC, 1002)
        wait_until(lambda: status_of(ledger, "next") is Status.OVER)
        ledger.delete("huge")
    pools.close()


def start_coordinator(url: str, scheduler: str, tournament_id: str) -> subprocess.Popen[bytes]:
    paths = os.pathsep.join([str(ROOT), str(ROOT / "proto" / "gen")])
    return subprocess.Popen(
        [sys.executable, "-m", "cli.main", "tournament", "run", "--resume", tournament_id],
        env={**os.environ, "PYTHONPATH": paths, "REDIS_URL": url, "DASK_SCHEDULER_ADDRESS": scheduler},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def test_fault05_a_worker_stops_chunks_of_a_killed_coordinator(
    ledger: Ledger, redis_url: str, tournament_id: str
) -> None:
    from services.tournaments.ledger.redis import open_redis_ledger

    shared = open_redis_ledger(redis_url)
    shared.create(tournament_id, HUGE_SPEC, 1000)
    with dask_processes(0) as dask:
        dask.start_scheduler()
        worker = dask.start_worker()
        killed = start_coordinator(redis_url, dask.address, tournament_id)
        wait_until(lambda: shared.tournament(tournament_id).leased)
        with Client(dask.address, set_as_default=False) as client:
            wait_until(lambda: is_busy(client))
            shared.cancel(tournament_id)
            killed.send_signal(signal.SIGKILL)
            killed.wait()
            wait_until(lambda: not is_busy(client), MAX_STOP_SECONDS)
        with run_scheduler(ledger, lambda: WorkerPool(1, dask.address)):
            ledger.create("small", SMALL_SPEC, 1001)
            wait_until(lambda: status_of(ledger, "small") is Status.OVER)
        assert worker.poll() is None
    shared.close()


def play_slowly(chunk: Chunk) -> ChunkResult:
    time.sleep(0.02)
    return first_entrant_wins(chunk)


def test_fault05_a_hundred_large_tournaments_do_not_delay_a_small_one(ledger: Ledger) -> None:
    large = replace(SMALL_SPEC, blocks=1_000_000)
    for number in range(100):
        ledger.create(f"large-{number}", large, 1000 + number)
    with run_scheduler(ledger, lambda: InProcessPool(play_slowly), slice_seconds=0.2):
        wait_until(lambda: ledger.tournament("large-0").done > 0)
        ledger.create("small", SMALL_SPEC, 2000)
        wait_until(lambda: status_of(ledger, "small") is Status.OVER)
        wait_until(lambda: ledger.tournament(f"large-{2 * CONCURRENT_TOURNAMENTS}").done > 0)
    assert {status_of(ledger, f"large-{number}") for number in range(100)} == {Status.RUNNING}


def test_fault05_tournaments_with_hanging_remote_bots_do_not_delay_others(ledger: Ledger) -> None:
    hanging = replace(SPEC, entrants=("random", "grpc:bots.example:1"), blocks=1000)

    def never_finish(chunk: RemoteChunk) -> ChunkResult:
        return chunk.wait_for(Future)

    for number in range(2 * CONCURRENT_TOURNAMENTS):
        ledger.create(f"hanging-{number}", hanging, 1000 + number)
    pools = SharedWorkers(1, remote_bots=never_finish, pools=CONCURRENT_TOURNAMENTS)
    scheduler = Scheduler(ledger, pools.pool, remote_bots=allowed_addresses("grpc:bots.example:1"), slice_seconds=0.5)
    scheduler.start()
    ledger.create("small", SMALL_SPEC, 2000)
    wait_until(lambda: status_of(ledger, "small") is Status.OVER)
    scheduler.stop()
    pools.close()


def test_fault05_a_running_tournament_can_be_deleted_soon_after_it_is_cancelled(ledger: Ledger) -> None:
    ledger.create("large", replace(SMALL_SPEC, blocks=1_000_000), 1000)
    with run_scheduler(ledger, lambda: InProcessPool(play_slowly)):
        wait_until(lambda: ledger.tournament("large").done > 0)
        with pytest.raises(TournamentLeased):
            ledger.delete("large")
        ledger.cancel("large")
        wait_until(lambda: not ledger.tournament("large").leased, MAX_STOP_SECONDS)
        done = ledger.tournament("large").done
        assert read_blocks(ledger, "large") == done
        ledger.delete("large")


def read_blocks(ledger: Ledger, tournament_id: str) -> int:
    """How many blocks the standings that were published last count."""
    return messages.Standings.FromString(ledger.tournament(tournament_id).summary).blocks


@pytest.mark.parametrize("ended", ["over", "cancelled", "failed"])
def test_fault05_cancelling_a_finished_tournament_changes_nothing(ledger: Ledger, ended: str) -> None:
    ledger.create("cup", SMALL_SPEC, 1000)
    token = ledger.acquire("cup", 60_000)
    assert token is not None
    end = {
        "over": lambda: ledger.finish("cup", token),
        "cancelled": lambda: ledger.cancel("cup"),
        "failed": lambda: ledger.fail("cup", token, "why"),
    }
    end[ended]()
    ledger.cancel("cup")
    assert status_of(ledger, "cup").value == ended
    assert not ledger.renew("cup", token, 60_000)
    ledger.release("cup", token)
    assert not ledger.tournament("cup").leased


def test_a_time_slice_without_a_result_is_followed_by_one_twice_as_long(ledger: Ledger) -> None:
    fair_share = FairShare(ledger, 0.1)
    ledger.create("long", SMALL_SPEC, 1000)
    ledger.create("other", SMALL_SPEC, 1001)
    assert fair_share.waiting() == ["long", "other"]
    time_slice = fair_share.time_slice("long")
    time_slice.mark_results_read()
    wait_until(time_slice.is_over)
    fair_share.add_slice("long", time_slice, results=0)
    assert fair_share.waiting() == ["other", "long"]
    next_slice = fair_share.time_slice("long")
    next_slice.mark_results_read()
    assert not next_slice.is_over()
    wait_until(next_slice.is_over)
    assert next_slice.seconds >= 0.2


def test_a_time_slice_continues_while_no_other_tournament_waits(ledger: Ledger) -> None:
    fair_share = FairShare(ledger, 0.01)
    ledger.create("only", SMALL_SPEC, 1000)
    ledger.create("elsewhere", SMALL_SPEC, 1001)
    assert ledger.acquire("elsewhere", 60_000)
    fair_share.claim("only")
    time_slice = fair_share.time_slice("only")
    time_slice.mark_results_read()
    time.sleep(0.05)
    assert not time_slice.is_over()
