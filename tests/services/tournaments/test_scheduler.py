"""Scheduler: leases, unplayable tournaments, failures and their log lines."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fireside.tournament.v1 import tournament_pb2 as messages

from runtime.telemetry import metrics
from services.bots.remote.allowed import allowed_addresses
from services.tournaments.ledger.file import FileLedger
from services.tournaments.ledger.ledger import Ledger, Status
from services.tournaments.plan.plan import Block, Spec
from services.tournaments.play.chunks import Chunk, ChunkResult
from services.tournaments.play.worker_pool import ChunkFailed, Stopped, WorkerPool
from services.tournaments.scheduler import Scheduler
from tests.runtime.telemetry.samples import Growth
from tests.services.tournaments.plans import SPEC, UNKNOWN_RULES_PLAN, stored_elsewhere
from tests.services.tournaments.pools import InProcessPool, first_entrant_wins

LEASE_MS = 60_000


@pytest.fixture
def failed() -> Callable[[], float]:
    """How many tournaments were counted as failed since."""
    grown = Growth()
    return lambda: grown.of("fireside_tournaments_over_total", outcome=metrics.OUTCOME_FAILED)


@pytest.fixture
def scheduler(ledger: Ledger) -> Iterator[Scheduler]:
    scheduler = Scheduler(ledger, InProcessPool)
    yield scheduler
    scheduler.stop()


def wait_for_status(ledger: Ledger, tournament_id: str, status: Status) -> None:
    deadline = time.monotonic() + 30
    while ledger.tournament(tournament_id).status is not status:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_waiting_tournaments_are_played_oldest_first(ledger: Ledger, tournament_id: str, scheduler: Scheduler) -> None:
    ids = [f"{tournament_id}-{number}" for number in range(3)]
    for number, each in enumerate(ids):
        assert ledger.create(each, SPEC, 1000 + number)
    scheduler.start()
    for each in ids:
        wait_for_status(ledger, each, Status.OVER)
        assert each not in ledger.unfinished(1000)
    standings = messages.Standings.FromString(ledger.tournament(ids[0]).summary)
    assert (standings.blocks, len(standings.entrants)) == (9, 3)


def test_tournaments_of_another_coordinator_are_skipped(
    ledger: Ledger, tournament_id: str, scheduler: Scheduler
) -> None:
    others, free = f"{tournament_id}-others", f"{tournament_id}-free"
    assert ledger.create(others, SPEC, 1000)
    assert ledger.create(free, SPEC, 1001)
    assert ledger.acquire(others, LEASE_MS)
    scheduler.start()
    wait_for_status(ledger, free, Status.OVER)
    assert ledger.tournament(others).done == 0


def test_tournaments_of_removed_rules_are_skipped(
    ledger: Ledger, tournament_id: str, scheduler: Scheduler, failed: Callable[[], float]
) -> None:
    unplayable, playable = f"{tournament_id}-gone", f"{tournament_id}-sound"
    assert ledger.create(unplayable, stored_elsewhere(UNKNOWN_RULES_PLAN), 1000)
    assert ledger.create(playable, SPEC, 1001)
    scheduler.start()
    wait_for_status(ledger, playable, Status.OVER)
    assert (ledger.tournament(unplayable).status, ledger.tournament(unplayable).done, failed()) == (
        Status.RUNNING,
        0,
        0,
    )


def test_tournaments_with_a_remote_bot_no_longer_allowed_are_skipped(ledger: Ledger, tournament_id: str) -> None:
    stranger, known = [f"https://{name}.example/" for name in ("stranger", "known")]
    waiting, played = f"{tournament_id}-waiting", f"{tournament_id}-played"
    assert ledger.create(waiting, replace(SPEC, entrants=("random", stranger)), 1000)
    assert ledger.create(played, replace(SPEC, entrants=("random", known)), 1001)
    scheduler = Scheduler(ledger, InProcessPool, remote_bots=allowed_addresses(known))
    scheduler.start()
    wait_for_status(ledger, played, Status.OVER)
    scheduler.stop()
    assert (ledger.tournament(waiting).status, ledger.tournament(waiting).done) == (Status.RUNNING, 0)


def test_tournaments_with_an_imported_bot_are_left_to_the_command_that_made_them(
    ledger: Ledger, tournament_id: str
) -> None:
    waiting, played = f"{tournament_id}-imported", f"{tournament_id}-built-in"
    assert ledger.create(waiting, replace(SPEC, entrants=("random", "bots.py:MyBot")), 1000)
    assert ledger.create(played, SPEC, 1001)
    scheduler = Scheduler(ledger, InProcessPool)
    scheduler.start()
    wait_for_status(ledger, played, Status.OVER)
    scheduler.stop()
    assert (ledger.tournament(waiting).status, ledger.tournament(waiting).done) == (Status.RUNNING, 0)


def test_an_unplayable_tournament_fails_with_its_reason(
    ledger: Ledger, tournament_id: str, failed: Callable[[], float]
) -> None:
    def fail_chunk(chunk: Chunk) -> ChunkResult:
        raise ChunkFailed(chunk, "no worker has so much memory")

    assert ledger.create(tournament_id, SPEC, 1000)
    scheduler = Scheduler(ledger, lambda: InProcessPool(fail_chunk))
    scheduler.start()
    wait_for_status(ledger, tournament_id, Status.FAILED)
    scheduler.stop()
    assert ledger.tournament(tournament_id).detail.endswith("no worker has so much memory")
    assert failed() == 1
    assert tournament_id not in ledger.unfinished(1000)


def test_a_tournament_with_an_unexpected_error_is_postponed_and_the_others_are_played(
    ledger: Ledger, tournament_id: str, failed: Callable[[], float]
) -> None:
    broken, playable = f"{tournament_id}-broken", f"{tournament_id}-sound"
    assert ledger.create(broken, replace(SPEC, name="broken"), 1000)
    assert ledger.create(playable, SPEC, 1001)

    def fail_broken_tournament(chunk: Chunk) -> ChunkResult:
        if Spec.from_json(chunk.spec).name == "broken":
            raise RuntimeError("nobody foresaw this")
        return first_entrant_wins(chunk)

    scheduler = Scheduler(ledger, lambda: InProcessPool(fail_broken_tournament))
    scheduler.start()
    wait_for_status(ledger, playable, Status.OVER)
    scheduler.stop()
    assert (ledger.tournament(broken).status, failed()) == (Status.RUNNING, 0)


class FailingOnceLedger(FileLedger):
    """Raises an unexpected error the first time that it is read."""

    stumbled = False

    def unfinished(self, most: int) -> list[str]:
        if not self.stumbled:
            self.stumbled = True
            raise RuntimeError("nobody foresaw this")
        return super().unfinished(most)


def test_a_ledger_with_an_unexpected_error_is_read_again(tmp_path: Path) -> None:
    ledger = FailingOnceLedger(tmp_path / "ledger.db")
    assert ledger.create("cup", SPEC, 1000)
    scheduler = Scheduler(ledger, InProcessPool)
    scheduler.start()
    wait_for_status(ledger, "cup", Status.OVER)
    scheduler.stop()
    assert ledger.stumbled
    ledger.close()


def test_a_stopped_pool_raises_an_error_even_with_results() -> None:
    pool = WorkerPool(1, remote_bots=lambda chunk: first_entrant_wins(chunk.chunk))
    pool.submit(Chunk(replace(SPEC, entrants=("random", "grpc:bots.example:1")).to_json(), (Block(0, (0, 1)),)))
    pool.stop()
    with pytest.raises(Stopped):
        pool.next(1.0)
    pool.close()
