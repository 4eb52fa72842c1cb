"""Tournaments with an SPRT: they end at the same block however they are played, and their workers stop."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from distributed import Client

from services.tournaments import messages
from services.tournaments.ledger.file import FileLedger
from services.tournaments.ledger.ledger import Status
from services.tournaments.plan.formats import planned_blocks
from services.tournaments.plan.plan import Spec, bot_random, entrants_by_seat
from services.tournaments.plan.sprt import Sprt
from services.tournaments.play.chunks import Chunk, ChunkResult
from services.tournaments.play.worker import play_in_worker
from services.tournaments.play.worker_pool import SharedWorkers, Stopped, WorkerPool
from services.tournaments.progress import read_progress
from services.tournaments.results.results import BlockResult, MatchResult
from services.tournaments.results.standings import Report
from services.tournaments.runner import Coordinator, ProgressReport
from tests.services.tournaments.plans import SPEC
from tests.services.tournaments.pools import InProcessPool, first_entrant_wins
from tests.services.tournaments.test_fair_share import MAX_STOP_SECONDS, is_busy, wait_until

SPRT_SPEC = replace(SPEC, entrants=("mcts:iterations=1000000", "random"), blocks=1000, sprt=Sprt(0, 100))
QUICK_BLOCKS = 30
"""More than the test of an entrant that wins all blocks needs."""


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[FileLedger]:
    opened = FileLedger(tmp_path / "ledger.db")
    yield opened
    opened.close()


def first_entrant_often_wins(chunk: Chunk) -> ChunkResult:
    """Stub that plays nothing: two of three matches are won by the first entrant."""
    spec = Spec.from_json(chunk.spec)
    lines = []
    for block in chunk.blocks:
        matches = []
        for number in range(spec.table_size):
            entrants = entrants_by_seat(spec, block, number)
            winner = 0 if bot_random(spec, block.index, number, 0).random() < 2 / 3 else 1
            ranks = tuple([1 if entrant == winner else 2 for entrant in entrants])
            matches.append(MatchResult(entrants, (0,) * len(ranks), ranks, "end", 50))
        lines.append((block.index, BlockResult(block.index, tuple(matches)).encode()))
    return ChunkResult(tuple(lines), 0.5 * len(lines))


class UnorderedPool(InProcessPool):
    """As if several workers played: chunks end in any order."""

    def __init__(self, seed: int, chunks: int) -> None:
        super().__init__(first_entrant_often_wins)
        self._random = Random(seed)
        self._most = chunks

    @property
    def workers(self) -> int:
        return self._most

    @property
    def has_room(self) -> bool:
        return self.in_flight < self._most

    def next(self, seconds: float) -> ChunkResult | None:
        self._random.shuffle(self._chunks)
        return super().next(seconds)


def report_of(ledger: FileLedger, name: str, spec: Spec, pool: WorkerPool) -> Report:
    """The report of a tournament at its end, which is equal when it is read again."""
    ledger.create(name, spec, 1000)
    report = Coordinator(ledger, pool).run(name).standings.report()
    found = ledger.tournament(name)
    assert found.status is Status.OVER
    assert report.blocks <= found.done < planned_blocks(spec)
    assert read_progress(ledger, found).standings.report() == report
    assert Coordinator(ledger, pool).run(name).standings.report() == report
    return report


@pytest.mark.parametrize("table_size", [2, 3, 5])
def test_a_test_decides_at_the_same_block_whatever_the_number_of_workers(ledger: FileLedger, table_size: int) -> None:
    spec = replace(SPRT_SPEC, table_size=table_size)
    alone = report_of(ledger, "alone", spec, UnorderedPool(0, 1))
    assert alone.sprt
    assert (alone.sprt.accepted, alone.sprt.blocks) == ("H1", alone.blocks)
    for seed in range(4):
        assert report_of(ledger, f"several-{seed}", spec, UnorderedPool(seed, 3 + 5 * seed)) == alone


def test_a_stopped_tournament_decides_at_the_same_block_when_it_is_resumed(ledger: FileLedger) -> None:
    undisturbed = report_of(ledger, "undisturbed", SPRT_SPEC, UnorderedPool(0, 4))
    ledger.create("stopped", SPRT_SPEC, 1000)

    def stop(progress: ProgressReport) -> None:
        if not progress.done % 3:
            stopped.stop()

    for seed in range(40):
        stopped = Coordinator(ledger, UnorderedPool(seed, 4), stop)
        with suppress(Stopped):
            assert stopped.run("stopped").standings.report() == undisturbed
    assert ledger.tournament("stopped").status is Status.OVER


def test_an_undecided_test_ends_with_the_blocks(ledger: FileLedger) -> None:
    spec = replace(SPRT_SPEC, blocks=3)
    ledger.create("short", spec, 1000)
    state = Coordinator(ledger, InProcessPool()).run("short").standings.report().sprt
    assert state
    assert (state.blocks, state.accepted) == (3, "")
    assert messages.encode_tournament(ledger.tournament("short")).detail == ""


def first_entrant_wins_until_play_is_long(chunk: Chunk) -> ChunkResult:
    """Stub that plays nothing at first; later blocks take hours."""
    return first_entrant_wins(chunk) if chunk.blocks[-1].index < QUICK_BLOCKS else play_in_worker(chunk)


def test_a_decision_stops_the_workers(ledger: FileLedger) -> None:
    shared = SharedWorkers(1)
    pool = WorkerPool(1, shared.address(), first_entrant_wins_until_play_is_long)
    with Client(shared.address(), set_as_default=False) as client:
        report = report_of(ledger, "cup", SPRT_SPEC, pool)
        wait_until(lambda: not is_busy(client), MAX_STOP_SECONDS)
    pool.close()
    shared.close()
    assert report.sprt
    assert report.sprt.accepted == "H1"
