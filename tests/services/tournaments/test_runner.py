"""Whole tournaments on real Dask workers, undisturbed and disturbed."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from services.tournaments.chunks import Play, play_chunk
from services.tournaments.course import Course, read
from services.tournaments.farm import ChunkFailed, Farm, Stopped
from services.tournaments.file_ledger import FileLedger
from services.tournaments.ledger import LeaseLost, Ledger, ResultDiffers, Status, TournamentEnded
from services.tournaments.plan import Spec
from services.tournaments.redis_ledger import open_redis_ledger
from services.tournaments.runner import Coordinator, Progress
from tests.services.tournaments.farms import (
    all_results,
    deadly,
    impossible,
    instant,
    separate,
    slow,
    undisturbed,
    wait_until_done,
)
from tests.services.tournaments.plans import SPEC, many

SHORT = replace(SPEC, blocks=5)
BLOCKS = 15
LEASE_SECONDS = 2.0


@contextmanager
def farm(workers: int = 2, address: str = "", play: Play = play_chunk) -> Iterator[Farm]:
    opened = Farm(workers, address, play)
    try:
        opened.open()
        yield opened
    finally:
        opened.close()


@pytest.fixture
def ledger(redis_url: str) -> Iterator[Ledger]:
    opened = open_redis_ledger(redis_url)
    yield opened
    opened.close()


def run(ledger: Ledger, tournament_id: str, farm: Farm, spec: Spec) -> Course:
    ledger.create(tournament_id, spec, 1000)
    return Coordinator(ledger, farm, lease_seconds=LEASE_SECONDS).run(tournament_id)


def check(ledger: Ledger, tournament_id: str, course: Course) -> None:
    """Every block has the result that it has undisturbed, and was counted once."""
    expected = undisturbed(SHORT, BLOCKS)
    assert all_results(ledger, tournament_id, BLOCKS + 1) == [*expected, None]
    assert ledger.tournament(tournament_id).status is Status.OVER
    assert len(ledger.news(tournament_id, "0", 100, 0)) == BLOCKS
    assert course.standings.pairs.blocks == BLOCKS
    assert sum(row.played for row in course.standings.rows()) == BLOCKS * 4
    assert course.standings.report() == read(ledger, ledger.tournament(tournament_id)).standings.report()


@pytest.mark.parametrize("workers", [1, 2])
def test_any_number_of_workers_gives_the_same(workers: int, ledger: Ledger, tournament_id: str) -> None:
    with farm(workers) as workers_here:
        check(ledger, tournament_id, run(ledger, tournament_id, workers_here, SHORT))


def test_a_separate_scheduler_and_its_workers_give_the_same(ledger: Ledger, tournament_id: str) -> None:
    with separate(2) as there, farm(address=there.address) as far:
        check(ledger, tournament_id, run(ledger, tournament_id, far, SHORT))


@pytest.mark.parametrize("format", ["swiss", "knockout"])
def test_formats_of_several_rounds_give_the_same_wherever_they_stop(
    format: str, tmp_path: Path, tournament_id: str
) -> None:
    spec = many(5, 2, format, blocks=2)
    whole, halting = FileLedger(tmp_path / "whole.db"), FileLedger(tmp_path / "halting.db")
    with farm(1) as workers:
        course = run(whole, tournament_id, workers, spec)
        half = course.planned // 2
        halting.create(tournament_id, spec, 1000)
        token = halting.acquire(tournament_id, 60_000)
        assert token is not None
        halting.record(tournament_id, token, list(enumerate(results(whole, tournament_id, half))))
        halting.release(tournament_id, token)
        again = run(halting, tournament_id, workers, spec)
    assert results(halting, tournament_id, course.planned) == results(whole, tournament_id, course.planned)
    assert again.standings.report() == course.standings.report()
    assert again.round == course.round > 1
    whole.close()
    halting.close()


def results(ledger: Ledger, tournament_id: str, count: int) -> list[bytes]:
    found = [result for result in ledger.results(tournament_id, 0, count) if result is not None]
    assert len(found) == count
    return found


def test_a_tournament_that_is_over_is_only_read(ledger: Ledger, tournament_id: str) -> None:
    with farm(1) as workers:
        first = run(ledger, tournament_id, workers, SHORT)
    unopened = Farm(1)
    second = run(ledger, tournament_id, unopened, SHORT)
    assert second.standings.report() == first.standings.report()


def worker_pids() -> list[int]:
    """Processes below this one that play."""
    below = psutil.Process().children(recursive=True)
    return [process.pid for process in below if "spawn_main" in " ".join(process.cmdline())]


def test_a_killed_worker_costs_its_chunk_only(ledger: Ledger, tournament_id: str) -> None:
    with farm(2, play=slow) as workers, ThreadPoolExecutor(1) as pool:
        running = pool.submit(run, ledger, tournament_id, workers, SHORT)
        wait_until_done(ledger, tournament_id, 3)
        os.kill(worker_pids()[0], signal.SIGKILL)
        check(ledger, tournament_id, running.result(timeout=60))


def test_a_killed_scheduler_costs_what_was_in_flight_only(ledger: Ledger, tournament_id: str) -> None:
    with separate(0) as there, ThreadPoolExecutor(1) as pool:
        scheduler = there.start_scheduler()
        there.start_worker()
        with farm(address=there.address, play=slow) as far:
            running = pool.submit(run, ledger, tournament_id, far, SHORT)
            wait_until_done(ledger, tournament_id, 3)
            scheduler.kill()
            scheduler.wait()
            there.start_scheduler()
            there.start_worker()
            check(ledger, tournament_id, running.result(timeout=60))
