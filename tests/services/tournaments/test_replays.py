"""Replays of blocks: which are chosen, and what becomes of a tournament with a worker that plays wrongly."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from services.tournaments.ledger.file import FileLedger
from services.tournaments.ledger.ledger import Ledger, ResultDiffers, Status, WrongWorker
from services.tournaments.plan.plan import Block, Spec
from services.tournaments.plan.sprt import Sprt
from services.tournaments.play.chunks import Chunk, ChunkResult, play_chunk
from services.tournaments.play.worker_pool import ChunkFailed, WorkerPool
from services.tournaments.progress import TournamentProgress
from services.tournaments.replays import SUSPICIOUS_DEVIATION, PlayedBlock, Replays, ReplaySampler, Residuals
from services.tournaments.results.pairs import Pairs
from services.tournaments.results.results import BlockResult
from services.tournaments.results.standings import Standings
from services.tournaments.runner import Coordinator
from tests.services.tournaments.plans import block_result, spec_of
from tests.services.tournaments.pools import (
    InProcessPool,
    all_results,
    expected_results,
    first_entrant_wins,
    play_replays_wrongly,
    play_wrongly_in_worker_0,
)

SPEC = spec_of(3, 2, blocks=6, seed=7)
BLOCKS = 18
CHUNK = Chunk(SPEC.to_json(), (Block(2, (1, 2)),))


@pytest.fixture
def file_ledger(tmp_path: Path) -> Iterator[Ledger]:
    opened = FileLedger(tmp_path / "ledger.db")
    yield opened
    opened.close()


def run_tournament(ledger: Ledger, pool: WorkerPool, spec: Spec = SPEC) -> TournamentProgress:
    ledger.create("cup", spec, 1000)
    return Coordinator(ledger, pool).run("cup")


def test_a_worker_that_plays_wrongly_is_named_and_the_standings_are_right(file_ledger: Ledger) -> None:
    pool = WorkerPool(2, play=play_wrongly_in_worker_0)
    try:
        progress = run_tournament(file_ledger, pool)
        assert pool._client is not None
        left = {worker["name"] for worker in pool._client.scheduler_info()["workers"].values()}
    finally:
        pool.close()
    found = file_ledger.tournament("cup")
    assert found.wrong_workers == tuple(pool.wrong_workers.values())
    assert {worker for _, worker, _ in file_ledger.suspect_results("cup")} == pool.wrong_workers.keys()
    assert left == {1}
    assert found.set_aside > 0
    expected = expected_results(SPEC, BLOCKS)
    assert all_results(file_ledger, "cup", BLOCKS + 1) == [*expected, None]
    undisturbed = Standings(SPEC)
    for index, result in enumerate(expected):
        undisturbed.add(BlockResult.decode(index, result))
    assert progress.standings.report() == undisturbed.report()


class NamedWorkers(InProcessPool):
    """Worker pool that plays in this process, in turn as each of some workers that play in their own ways."""

    def __init__(self, **workers: Callable[[Chunk], ChunkResult]) -> None:
        super().__init__()
        self._plays = workers
        self._turn = 0

    def next(self, seconds: float) -> ChunkResult:
        chunk = self._chunks.pop(0)
        left = [name for name in self._plays if name not in self.wrong_workers]
        able = [name for name in left if name != chunk.avoid] or left
        self._turn += 1
        name = able[self._turn % len(able)]
        return replace(self._plays[name](chunk), worker=name)

    def exclude(self, wrong: WrongWorker) -> bool:
        self.wrong_workers[wrong.name] = wrong
        return bool(self._plays.keys() - self.wrong_workers.keys())


def on_seed(seed: int) -> Callable[[Chunk], ChunkResult]:
    """Plays a chunk on another seed than that of its plan."""
    return lambda chunk: play_chunk(replace(chunk, spec=replace(Spec.from_json(chunk.spec), seed=seed).to_json()))


def lose_a_move(chunk: Chunk) -> ChunkResult:
    """Plays a chunk rightly, and reports other moves."""
    played = play_chunk(chunk)
    return replace(played, moves={index: zlib.compress(b"roll\n\nroll") for index in played.moves})


@pytest.mark.parametrize("wrongly", [on_seed(99), lose_a_move])
def test_wrong_results_and_wrong_moves_are_found(wrongly: Callable[[Chunk], ChunkResult], file_ledger: Ledger) -> None:
    run_tournament(file_ledger, NamedWorkers(right=play_chunk, wrong=wrongly, other=play_chunk))
    found = file_ledger.tournament("cup")
    assert ([wrong.name for wrong in found.wrong_workers], found.status) == (["wrong"], Status.OVER)
    assert {worker for _, worker, _ in file_ledger.suspect_results("cup")} == {"wrong"}
    assert file_ledger.blocks_played_by("cup", "wrong") == []
    assert all_results(file_ledger, "cup", BLOCKS) == expected_results(SPEC, BLOCKS)


def test_a_worker_that_replays_several_blocks_of_a_chunk_wrongly_is_found_once(file_ledger: Ledger) -> None:
    def replay_wrongly(chunk: Chunk) -> ChunkResult:
        return on_seed(99)(chunk) if chunk.avoid else play_chunk(chunk)

    pool = NamedWorkers(right=play_chunk, wrong=replay_wrongly, other=play_chunk)
    file_ledger.create("cup", SPEC, 1000)
    Coordinator(file_ledger, pool, sampler=ReplaySampler(1)).run("cup")
    found = file_ledger.tournament("cup")
    assert ([wrong.name for wrong in found.wrong_workers], found.alarms) == (["wrong"], ())
    assert all_results(file_ledger, "cup", BLOCKS) == expected_results(SPEC, BLOCKS)


def test_three_different_results_are_an_alarm(file_ledger: Ledger) -> None:
    with pytest.raises(ResultDiffers):
        run_tournament(file_ledger, NamedWorkers(one=on_seed(98), other=on_seed(99)))
    found = file_ledger.tournament("cup")
    assert (len(found.alarms), found.wrong_workers, found.status) == (1, (), Status.RUNNING)


def test_without_a_worker_that_plays_rightly_the_tournament_fails(file_ledger: Ledger) -> None:
    seeds = iter(range(100))
    with pytest.raises(ChunkFailed, match="no correct worker is left"):
        run_tournament(file_ledger, NamedWorkers(unsteady=lambda chunk: on_seed(next(seeds))(chunk)))
    found = file_ledger.tournament("cup")
    assert ([wrong.name for wrong in found.wrong_workers], found.done) == (["unsteady"], 0)
    assert found.set_aside == len(file_ledger.suspect_results("cup")) > 0


def test_a_pool_whose_only_worker_is_wrong_ends_its_chunks(file_ledger: Ledger) -> None:
    pool = WorkerPool(1, play=play_replays_wrongly)
    try:
        with pytest.raises(ChunkFailed, match="no correct worker is left"):
            run_tournament(file_ledger, pool)
        assert not pool.exclude(*pool.wrong_workers.values())
    finally:
        pool.close()
    assert len(file_ledger.tournament("cup").wrong_workers) == 1


class ReplaysLast(NamedWorkers):
    """Worker pool that plays replays last, and all other chunks as its first worker that is not excluded."""

    def next(self, seconds: float) -> ChunkResult:
        self._chunks.sort(key=lambda chunk: chunk.avoid != "")
        self._turn = -1
        return super().next(seconds)


def first_entrant_wins_all(chunk: Chunk) -> ChunkResult:
    """Plays nothing: the first entrant wins in no moves."""
    return replace(first_entrant_wins(chunk), moves={block.index: zlib.compress(b"") for block in chunk.blocks})


def test_a_test_is_not_decided_before_replays_in_flight_have_ended(file_ledger: Ledger) -> None:
    spec = replace(spec_of(2, 2, blocks=40, seed=7), sprt=Sprt(0, 100))
    run_tournament(file_ledger, ReplaysLast(wrong=first_entrant_wins_all, right=play_chunk), spec)
    found = file_ledger.tournament("cup")
    assert ([wrong.name for wrong in found.wrong_workers], found.status) == (["wrong"], Status.OVER)
    assert found.set_aside > 8
    results = all_results(file_ledger, "cup", 40)
    assert results[: found.done] == expected_results(spec, 40)[: found.done]


def test_results_of_a_worker_that_was_wrong_in_another_tournament_are_set_aside(file_ledger: Ledger) -> None:
    file_ledger.create("cup", SPEC, 1000)
    token = file_ledger.acquire("cup", 60_000)
    assert token is not None
    file_ledger.record("cup", token, on_seed(99)(CHUNK).lines, worker="wrong")
    file_ledger.release("cup", token)
    pool = NamedWorkers(right=play_chunk)
    pool.exclude(WrongWorker("wrong", "another cup", 5))
    run_tournament(file_ledger, pool)
    found = file_ledger.tournament("cup")
    assert (found.wrong_workers, found.set_aside) == ((WrongWorker("wrong", "another cup", 5),), 1)
    assert all_results(file_ledger, "cup", BLOCKS) == expected_results(SPEC, BLOCKS)


@pytest.mark.parametrize(
    ("wrong_block", "recorded", "set_aside"), [(2, 5, [(2, "wrong"), (4, "right 4")]), (4, 6, [(4, "wrong")])]
)
def test_rounds_that_wrong_results_have_paired_are_played_anew(
    file_ledger: Ledger, tmp_path: Path, wrong_block: int, recorded: int, set_aside: list[tuple[int, str]]
) -> None:
    spec = spec_of(8, 2, "knockout", blocks=1, seed=7)
    wrong, undisturbed = FileLedger(tmp_path / "wrong.db"), FileLedger(tmp_path / "undisturbed.db")
    run_tournament(wrong, NamedWorkers(wrong=on_seed(99)), spec)
    file_ledger.create("cup", spec, 1000)
    token = file_ledger.acquire("cup", 60_000)
    assert token is not None
    expected = run_tournament(undisturbed, InProcessPool(play_chunk), spec)
    for index in range(recorded):
        source, worker = (wrong, "wrong") if index == wrong_block else (undisturbed, f"right {index}")
        result = source.results("cup", index, 1)[0]
        assert result is not None
        file_ledger.record("cup", token, [(index, result)], worker=worker)
    file_ledger.release("cup", token)
    pool = NamedWorkers(right=play_chunk)
    pool.exclude(WrongWorker("wrong", "another cup", 5))
    progress = run_tournament(file_ledger, pool, spec)
    assert [(index, worker) for index, worker, _ in file_ledger.suspect_results("cup")] == set_aside
    assert all_results(file_ledger, "cup", 7) == all_results(undisturbed, "cup", 7)
    assert progress.standings.report() == expected.standings.report()
    wrong.close()
    undisturbed.close()


def chosen(sampler: ReplaySampler, blocks: int, game: str = "game@1", worker: str = "one", deviation: float = 0) -> int:
    """How many of a chunk's blocks are replayed."""
    return len(sampler.choose(game, worker, dict.fromkeys(range(blocks), 0.0), deviation))


def test_the_first_block_of_each_worker_in_each_game_is_replayed() -> None:
    sampler = ReplaySampler()
    plays = [("game@1", "one"), ("game@1", "other"), ("game@2", "one")]
    assert [chosen(sampler, 1, *play) for play in plays] == [1, 1, 1]
    assert [chosen(sampler, 1, *play) for play in plays] == [0, 0, 0]


def test_a_share_of_the_blocks_is_replayed_and_more_of_a_worker_that_deviates() -> None:
    counts = [sum(chosen(sampler, 10, deviation=deviation) for _ in range(100)) for sampler, deviation in [
        (ReplaySampler(0.02), 3), (ReplaySampler(0.02), 5), (ReplaySampler(1), 0), (ReplaySampler(0), 5)
    ]]  # fmt: skip
    assert counts == [21, 101, 1000, 0]


def test_a_replay_that_is_cancelled_is_made_up_for() -> None:
    replays, played = Replays(ReplaySampler(), "game@1"), replace(play_chunk(CHUNK), worker="one")
    results = [BlockResult.decode(index, line) for index, line in played.lines]
    assert [replays.choose(played, results, Pairs(3, 1)) for _ in range(2)] == [[2], []]
    replays.cancel()
    assert replays.choose(played, results, Pairs(3, 1)) == [2]
    block = PlayedBlock.of(played)
    assert replays.finished(played) == [(block, block)]
    assert replays.finished(played) == []


def test_the_most_unusual_blocks_of_a_worker_that_deviates_are_replayed() -> None:
    assert ReplaySampler().choose("game@1", "one", {3: 0.5, 4: 9.0, 5: 1.0}, 5) == [4]


def test_a_worker_whose_results_differ_from_the_pooled_ones_deviates() -> None:
    pairs, residuals, random = Pairs(2, 1000), Residuals(), Random(7)
    for index in range(500):
        worker = ("one", "two", "three", "four", "wrong")[index % 5]
        won = random.random() < (0.3 if worker == "wrong" else 0.7)
        result = block_result(index, ((0, 1), (1, 2) if won else (2, 1)))
        residuals.add(worker, result, pairs)
        pairs.add(result)
    deviations = {worker: residuals.deviation(worker) for worker in ("one", "two", "three", "four", "wrong")}
    assert deviations.pop("wrong") > SUSPICIOUS_DEVIATION > max(deviations.values())
    assert residuals.deviation("new") == 0


def test_a_first_defeat_after_many_equal_blocks_is_unusual() -> None:
    pairs, residuals = Pairs(2, 1000), Residuals()
    for index in range(100):
        result = block_result(index, ((0, 1), (1, 2)), ((1, 0), (2, 1)))
        assert residuals.add("one", result, pairs) == 0
        pairs.add(result)
    assert residuals.add("other", block_result(100, ((0, 1), (2, 1)), ((1, 0), (1, 2))), pairs) > 100
