"""Whole tournaments on real Dask workers, with and without killed processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from services.engine.records.reading import read
from services.engine.records.verification import verify
from services.tournaments.ledger.file import FileLedger
from services.tournaments.ledger.ledger import Ledger, Status, TournamentEnded
from services.tournaments.ledger.redis import RedisLedger, open_redis_ledger
from services.tournaments.plan.formats import planned_blocks
from services.tournaments.plan.plan import Block, Spec
from services.tournaments.play.chunks import Chunk, Play, play_chunk
from services.tournaments.play.worker_pool import ChunkFailed, Stopped, WorkerPool
from services.tournaments.progress import TournamentProgress, read_progress
from services.tournaments.records import replay_match
from services.tournaments.results.results import BlockResult
from services.tournaments.runner import Coordinator, ProgressReport
from tests.services.processes import ROOT
from tests.services.tournaments.plans import SPEC, spec_of
from tests.services.tournaments.pools import (
    InProcessPool,
    all_results,
    dask_processes,
    expected_results,
    first_entrant_wins,
    kill_worker,
    play_slowly,
    raise_memory_error,
    wait_until_done,
    worker_pids,
)

SHORT_SPEC = spec_of(3, 2, blocks=5, seed=7)
SHORT_BLOCKS = 15
LEASE_SECONDS = 4.0


@contextmanager
def open_pool(workers: int = 2, address: str = "", play: Play = play_chunk) -> Iterator[WorkerPool]:
    opened = WorkerPool(workers, address, play)
    try:
        opened.open()
        yield opened
    finally:
        opened.close()


@pytest.fixture(scope="module")
def one_worker() -> Iterator[WorkerPool]:
    """A pool for all tests that leave its worker alone: to start a worker takes two seconds of processor time."""
    with open_pool(1) as opened:
        yield opened


@pytest.fixture(scope="module")
def slow_worker() -> Iterator[WorkerPool]:
    """The same, slow enough to be interrupted."""
    with open_pool(1, play=play_slowly) as opened:
        yield opened


@pytest.fixture
def ledger(redis_url: str) -> Iterator[Ledger]:
    opened = open_redis_ledger(redis_url)
    yield opened
    opened.close()


def run_tournament(ledger: Ledger, tournament_id: str, pool: WorkerPool, spec: Spec) -> TournamentProgress:
    ledger.create(tournament_id, spec, 1000)
    return Coordinator(ledger, pool, lease_seconds=LEASE_SECONDS).run(tournament_id)


def check_results(ledger: Ledger, tournament_id: str, progress: TournamentProgress) -> None:
    """Every block has the result that it has undisturbed, and was counted once."""
    expected = expected_results(SHORT_SPEC, SHORT_BLOCKS)
    assert all_results(ledger, tournament_id, SHORT_BLOCKS + 1) == [*expected, None]
    assert ledger.tournament(tournament_id).status is Status.OVER
    assert len(ledger.lines(tournament_id, 0, 100)) == SHORT_BLOCKS
    check_records(ledger, tournament_id)
    assert progress.standings.pairs.blocks == SHORT_BLOCKS
    assert sum(row.played for row in progress.standings.rows()) == SHORT_BLOCKS * 4
    assert progress.standings.report() == read_progress(ledger, ledger.tournament(tournament_id)).standings.report()


def check_records(ledger: Ledger, tournament_id: str) -> None:
    """Every match has a record that verifies."""
    for index, data in ledger.lines(tournament_id, 0, SHORT_BLOCKS):
        moves = ledger.moves(tournament_id, index)
        assert moves is not None
        for number in range(SHORT_SPEC.table_size):
            replayed = replay_match(tournament_id, SHORT_SPEC, BlockResult.decode(index, data), moves, number)
            verify(*read(replayed.record()))


@pytest.mark.parametrize(("most", "expected"), [(0, []), (5, [0, 1]), (1000, [0, 1, 2])])
def test_only_the_moves_of_the_first_matches_are_stored(
    most: int, expected: list[int], ledger: Ledger, tournament_id: str
) -> None:
    ledger.create(tournament_id, spec_of(3, 2), 1000)
    Coordinator(ledger, InProcessPool(play_chunk), recorded_matches=most).run(tournament_id)
    assert [block for block in range(3) if ledger.moves(tournament_id, block)] == expected


def test_the_results_do_not_depend_on_the_number_of_workers(
    ledger: Ledger, one_worker: WorkerPool, tournament_id: str
) -> None:
    with open_pool(2) as two_workers:
        for name, pool in ((f"{tournament_id}-one", one_worker), (f"{tournament_id}-two", two_workers)):
            check_results(ledger, name, run_tournament(ledger, name, pool, SHORT_SPEC))


def test_a_separate_scheduler_and_its_workers_give_the_same_results(ledger: Ledger, tournament_id: str) -> None:
    with dask_processes(2) as dask, open_pool(address=dask.address) as far:
        check_results(ledger, tournament_id, run_tournament(ledger, tournament_id, far, SHORT_SPEC))


@pytest.mark.parametrize("format", ["swiss", "knockout"])
def test_formats_of_several_rounds_give_the_same_results_after_a_restart_anywhere(
    format: str, tmp_path: Path, one_worker: WorkerPool, tournament_id: str
) -> None:
    spec = spec_of(5, 2, format, blocks=2)
    whole, halting = FileLedger(tmp_path / "whole.db"), FileLedger(tmp_path / "halting.db")
    progress = run_tournament(whole, tournament_id, one_worker, spec)
    half = progress.planned // 2
    halting.create(tournament_id, spec, 1000)
    token = halting.acquire(tournament_id, 60_000)
    assert token is not None
    halting.record(tournament_id, token, list(enumerate(recorded_results(whole, tournament_id, half))))
    halting.release(tournament_id, token)
    restarted = run_tournament(halting, tournament_id, one_worker, spec)
    assert recorded_results(halting, tournament_id, progress.planned) == recorded_results(
        whole, tournament_id, progress.planned
    )
    assert restarted.standings.report() == progress.standings.report()
    assert restarted.round == progress.round > 1
    whole.close()
    halting.close()


def recorded_results(ledger: Ledger, tournament_id: str, count: int) -> list[bytes]:
    found = [result for result in ledger.results(tournament_id, 0, count) if result is not None]
    assert len(found) == count
    return found


def test_a_finished_tournament_is_only_read(ledger: Ledger, one_worker: WorkerPool, tournament_id: str) -> None:
    first = run_tournament(ledger, tournament_id, one_worker, SHORT_SPEC)
    unopened = WorkerPool(1)
    second = run_tournament(ledger, tournament_id, unopened, SHORT_SPEC)
    assert second.standings.report() == first.standings.report()


def test_a_killed_worker_loses_only_its_chunk(ledger: Ledger, tournament_id: str) -> None:
    with open_pool(2, play=play_slowly) as workers, ThreadPoolExecutor(1) as threads:
        running = threads.submit(run_tournament, ledger, tournament_id, workers, SHORT_SPEC)
        wait_until_done(ledger, tournament_id, 3)
        os.kill(worker_pids()[-1], signal.SIGKILL)  # the newest, which is none of another pool
        check_results(ledger, tournament_id, running.result(timeout=60))


def test_a_killed_scheduler_loses_only_the_chunks_in_flight(ledger: Ledger, tournament_id: str) -> None:
    with dask_processes(0) as dask, ThreadPoolExecutor(1) as threads:
        scheduler = dask.start_scheduler()
        dask.start_worker()
        with open_pool(address=dask.address, play=play_slowly) as far:
            running = threads.submit(run_tournament, ledger, tournament_id, far, SHORT_SPEC)
            wait_until_done(ledger, tournament_id, 3)
            scheduler.kill()
            scheduler.wait()
            dask.start_scheduler()
            dask.start_worker()
            check_results(ledger, tournament_id, running.result(timeout=60))


def start_coordinator(url: str, tournament_id: str, workers: int = 1) -> subprocess.Popen[str]:
    """A coordinator in a process of its own that goes on with a tournament."""
    words = ["tournament", "run", "--resume", tournament_id, "--workers", str(workers)]
    paths = os.pathsep.join([str(ROOT), str(ROOT / "proto" / "gen")])
    environment = {"PYTHONPATH": paths, "REDIS_URL": url, "FIRESIDE_LEASE_SECONDS": str(LEASE_SECONDS)}
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "cli.main", *words],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


LONG_SPEC = spec_of(3, 2, blocks=30, seed=7)
LONG_BLOCKS = 90


def test_after_a_killed_coordinator_the_next_has_all_recorded_results(
    redis_url: str, ledger: Ledger, tournament_id: str
) -> None:
    ledger.create(tournament_id, LONG_SPEC, 1000)
    first = start_coordinator(redis_url, tournament_id)
    wait_until_done(ledger, tournament_id, 5)
    first.kill()
    first.communicate()
    left = ledger.tournament(tournament_id).done
    assert left < LONG_BLOCKS
    second = start_coordinator(redis_url, tournament_id)
    assert "Standings" in second.communicate(timeout=90)[0]
    assert second.returncode == 0
    assert all_results(ledger, tournament_id, LONG_BLOCKS) == expected_results(LONG_SPEC, LONG_BLOCKS)
    blocks = [block for block, _ in ledger.lines(tournament_id, 0, 1000)]
    assert sorted(blocks) == list(range(LONG_BLOCKS))


def test_a_coordinator_that_slept_past_its_lease_writes_nothing(
    redis_url: str, ledger: Ledger, one_worker: WorkerPool, tournament_id: str
) -> None:
    ledger.create(tournament_id, LONG_SPEC, 1000)
    sleeper = start_coordinator(redis_url, tournament_id)
    wait_until_done(ledger, tournament_id, 3)
    sleeper.send_signal(signal.SIGSTOP)
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(run_tournament, ledger, tournament_id, one_worker, LONG_SPEC)
        wait_until_done(ledger, tournament_id, ledger.tournament(tournament_id).done + 1)
        sleeper.send_signal(signal.SIGCONT)
        _, errors = sleeper.communicate(timeout=60)
        progress = running.result(timeout=90)
    assert sleeper.returncode == 2
    assert f"the lease of tournament {tournament_id} is lost" in errors
    assert progress.standings.pairs.blocks == LONG_BLOCKS
    found = ledger.tournament(tournament_id)
    assert (found.done, found.alarms) == (LONG_BLOCKS, ())
    assert all_results(ledger, tournament_id, LONG_BLOCKS) == expected_results(LONG_SPEC, LONG_BLOCKS)


def test_an_expired_lease_is_acquired_again_if_nobody_else_holds_it(
    ledger: Ledger, slow_worker: WorkerPool, tournament_id: str
) -> None:
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(run_tournament, ledger, tournament_id, slow_worker, SHORT_SPEC)
        wait_until_done(ledger, tournament_id, 3)
        assert isinstance(ledger, RedisLedger)
        token = ledger._redis.get(f"fireside:tournament:{{tournaments}}:{tournament_id}:lease")
        assert token is not None
        ledger.release(tournament_id, int(token))
        check_results(ledger, tournament_id, running.result(timeout=60))


def test_two_coordinators_take_turns(
    ledger: Ledger, redis_url: str, one_worker: WorkerPool, tournament_id: str
) -> None:
    second_ledger = open_redis_ledger(redis_url)
    with open_pool(1) as other, ThreadPoolExecutor(2) as threads:
        coordinators = [
            threads.submit(run_tournament, ledger, tournament_id, one_worker, SHORT_SPEC),
            threads.submit(run_tournament, second_ledger, tournament_id, other, SHORT_SPEC),
        ]
        for running in coordinators:
            check_results(ledger, tournament_id, running.result(timeout=60))
    second_ledger.close()


def test_a_coordinator_can_be_stopped_and_another_continues(
    ledger: Ledger, one_worker: WorkerPool, tournament_id: str
) -> None:
    ledger.create(tournament_id, SHORT_SPEC, 1000)
    with open_pool(1, play=play_slowly) as workers, ThreadPoolExecutor(1) as threads:
        stopped = Coordinator(ledger, workers, lease_seconds=LEASE_SECONDS)
        running = threads.submit(stopped.run, tournament_id)
        wait_until_done(ledger, tournament_id, 3)
        stopped.stop()
        with pytest.raises(Stopped):
            running.result(timeout=10)
    assert 3 <= ledger.tournament(tournament_id).done < SHORT_BLOCKS
    check_results(ledger, tournament_id, run_tournament(ledger, tournament_id, one_worker, SHORT_SPEC))


def test_a_stopped_coordinator_plays_no_further_rounds(tmp_path: Path, tournament_id: str) -> None:
    spec = spec_of(4, 2, "swiss")
    ledger = FileLedger(tmp_path / "ledger.db")
    ledger.create(tournament_id, spec, 1000)
    token = ledger.acquire(tournament_id, 60_000)
    assert token is not None
    blocks = [Block(index, (index % 2, 2 + index % 2)) for index in range(planned_blocks(spec))]
    ledger.record(tournament_id, token, first_entrant_wins(Chunk(spec.to_json(), tuple(blocks))).lines)
    ledger.release(tournament_id, token)
    stopped = Coordinator(ledger, WorkerPool(1))
    stopped.stop()
    with pytest.raises(Stopped):
        stopped.run(tournament_id)
    assert ledger.tournament(tournament_id).status is Status.RUNNING
    ledger.close()


def test_waiting_for_another_coordinator_can_be_stopped(ledger: Ledger, tournament_id: str) -> None:
    ledger.create(tournament_id, SHORT_SPEC, 1000)
    ledger.acquire(tournament_id, 60_000)
    waiting = Coordinator(ledger, WorkerPool(1), lease_seconds=LEASE_SECONDS)
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(waiting.run, tournament_id)
        waiting.stop()
        with pytest.raises(Stopped):
            running.result(timeout=10)


def test_a_cancelled_tournament_is_not_played_further(
    ledger: Ledger, slow_worker: WorkerPool, tournament_id: str
) -> None:
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(run_tournament, ledger, tournament_id, slow_worker, SHORT_SPEC)
        wait_until_done(ledger, tournament_id, 3)
        ledger.cancel(tournament_id)
        with pytest.raises(TournamentEnded):
            running.result(timeout=10)
        done = ledger.tournament(tournament_id).done
        with pytest.raises(TournamentEnded):
            run_tournament(ledger, tournament_id, slow_worker, SHORT_SPEC)
    assert ledger.tournament(tournament_id).done == done < SHORT_BLOCKS


def test_a_failed_tournament_submits_no_chunks(ledger: Ledger, tournament_id: str) -> None:
    ledger.create(tournament_id, SHORT_SPEC, 1000)
    token = ledger.acquire(tournament_id, 60_000)
    assert token is not None
    ledger.fail(tournament_id, token, "why")
    ledger.release(tournament_id, token)
    unopened = WorkerPool(1)
    with pytest.raises(TournamentEnded):
        run_tournament(ledger, tournament_id, unopened, SHORT_SPEC)
    assert unopened._client is None
    unopened.close()


@pytest.mark.parametrize(
    ("play", "message"), [(raise_memory_error, "MemoryError: no worker has so much"), (kill_worker, "died")]
)
def test_an_unplayable_chunk_stops_the_tournament(play: Play, message: str, ledger: Ledger, tournament_id: str) -> None:
    with open_pool(1, play=play) as workers, pytest.raises(ChunkFailed, match=message):
        run_tournament(ledger, tournament_id, workers, SHORT_SPEC)
    assert ledger.tournament(tournament_id).status is Status.RUNNING


def test_a_pool_that_failed_once_plays_the_next_tournament(
    ledger: Ledger, one_worker: WorkerPool, tournament_id: str
) -> None:
    ledger.create(f"{tournament_id}-cancelled", SHORT_SPEC, 1000)
    ledger.cancel(f"{tournament_id}-cancelled")
    with pytest.raises(TournamentEnded):
        run_tournament(ledger, f"{tournament_id}-cancelled", one_worker, SHORT_SPEC)
    check_results(ledger, tournament_id, run_tournament(ledger, tournament_id, one_worker, SHORT_SPEC))


MILLION_BLOCKS = int(os.environ.get("FIRESIDE_MILLION_BLOCKS", "20000"))
"""How many of the blocks of a million matches are played; `make million` plays all of them."""


def test_a_million_matches_use_little_memory(tmp_path: Path, tournament_id: str) -> None:
    ledger = FileLedger(tmp_path / "ledger.db")
    spec = replace(SPEC, entrants=("random",) * 20, blocks=2632)
    assert planned_blocks(spec) * spec.table_size >= 1_000_000
    process = psutil.Process()
    seen: list[int] = []
    done: list[int] = []

    def record_memory(progress: ProgressReport) -> None:
        seen.append(process.memory_info().rss)
        done.append(progress.done)
        if progress.done >= MILLION_BLOCKS:
            playing.stop()

    with open_pool(1, play=first_entrant_wins) as workers:
        ledger.create(tournament_id, spec, 1000)
        playing = Coordinator(ledger, workers, record_memory)
        with suppress(Stopped):
            playing.run(tournament_id)
    assert done[-1] >= min(MILLION_BLOCKS, planned_blocks(spec))
    assert ledger.tournament(tournament_id).done == done[-1]
    ledger.close()
    growth = max(seen) - seen[0]
    print(f"{done[-1]} blocks of {spec.table_size} matches: memory grew by {growth / 1e6:.1f} MB")
    assert growth < 50e6
