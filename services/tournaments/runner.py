"""Coordinator of a tournament: plays the blocks that have no result in the ledger yet, while it holds the lease."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from math import ceil, inf
from threading import Event
from time import monotonic
from typing import Final

from runtime.telemetry import metrics
from services.tournaments.fair_share import TimeSlice
from services.tournaments.ledger.lease import LEASE_SECONDS, Lease, hold_lease
from services.tournaments.ledger.ledger import (
    LeaseLost,
    Ledger,
    ResultDiffers,
    Status,
    TournamentEnded,
    WrongWorker,
)
from services.tournaments.plan.plan import Block
from services.tournaments.play.chunks import Chunk, ChunkResult, ChunkSizer, play_chunk
from services.tournaments.play.remote_chunks import Cancelled
from services.tournaments.play.worker_pool import ChunkFailed, Stopped, WorkerPool
from services.tournaments.progress import TournamentProgress, next_blocks
from services.tournaments.replays import PlayedBlock, Replays, ReplaySampler
from services.tournaments.results.results import BlockResult
from services.tournaments.results.standings import Standings
from services.tournaments.settings import RECORDED_MATCHES

logger = logging.getLogger(__name__)

RESULT_POLL_SECONDS: Final = 0.5
"""How long to wait for a result before checking the lease, the time slice and whether to stop."""


DRAIN_SECONDS: Final = 5.0
"""How long chunks in flight may take when a tournament is preempted: chunks take about two seconds."""


class Preempted(Exception):
    """The time slice of a tournament is over, and other tournaments wait."""

    def __init__(self, tournament_id: str) -> None:
        super().__init__(f"tournament {tournament_id} has given way to others")


class _ResultsSetAside(Exception):
    """Results were set aside, so that the standings so far are wrong."""


@dataclass(frozen=True)
class ProgressReport:
    """Progress of a tournament: its round, counts of blocks, and current standings."""

    round: int
    done: int
    """Blocks that have a result."""
    planned: int
    standings: Standings


def ignore_progress(_: ProgressReport) -> None:
    """The default `on_progress`: ignores progress reports."""


class Coordinator:
    """Runs tournaments, one at a time. A ledger may have several coordinators: only the lease's holder writes.

    A coordinator may crash at any moment: another one then plays the blocks that have no result.
    """

    def __init__(
        self,
        ledger: Ledger,
        pool: WorkerPool,
        on_progress: Callable[[ProgressReport], None] = ignore_progress,
        lease_seconds: float = LEASE_SECONDS,
        recorded_matches: int = RECORDED_MATCHES,
        sampler: ReplaySampler | None = None,
    ) -> None:
        """The moves of the first `recorded_matches` matches of a tournament are stored, by whole blocks.

        `sampler` chooses the blocks to replay; pass it to all coordinators of a pool in turn.
        """
        self._sampler: Final = sampler or ReplaySampler()
        self._handled: Final[set[str]] = set()
        """Wrong workers whose results are set aside."""
        self._recorded_matches: Final = recorded_matches
        self._ledger: Final = ledger
        self._pool: Final = pool
        self._on_progress: Final = on_progress
        self._lease_seconds: Final = lease_seconds
        self._lease_ms: Final = int(1000 * lease_seconds)
        self._stopping: Final = Event()

    def stop(self) -> None:
        """Stop the tournament that runs, from any thread: `run` raises `Stopped` soon after."""
        self._stopping.set()
        self._pool.stop()

    def run(self, tournament_id: str) -> TournamentProgress:
        """Play a tournament to its end, or read one that is over.

        Raises `UnknownTournament`, `LeaseLost` when another coordinator took over, `TournamentEnded` when it was
        cancelled or has failed, `UnknownPlan` when its rules or bots are unknown to this version, `ResultDiffers`,
        `LedgerUnavailable`, `ChunkFailed` and `Stopped`; results recorded until then stay.
        """
        self._ledger.tournament(tournament_id)
        while True:
            try:
                return self._run(tournament_id)
            except LeaseLost:
                if self._stopping.is_set():
                    raise Stopped from None
                if not self._is_free(tournament_id):
                    raise
                logger.warning(
                    "the lease of tournament %s expired, and no other coordinator took over: continuing", tournament_id
                )

    def _is_free(self, tournament_id: str) -> bool:
        """Whether no coordinator holds the lease."""
        token = self._ledger.acquire(tournament_id, self._lease_ms)
        if token is None:
            return False
        self._ledger.release(tournament_id, token)
        return True

    def _run(self, tournament_id: str) -> TournamentProgress:
        with hold_lease(self._ledger, tournament_id, self._lease_seconds, self._stopping) as lease:
            progress = self.run_under(lease, tournament_id)
            self._ledger.finish(tournament_id, lease.token)
        return progress

    def run_under(self, lease: Lease, tournament_id: str, time_slice: TimeSlice | None = None) -> TournamentProgress:
        """Play the missing blocks of a tournament under a held lease, until its end or the end of its time slice.

        Raises what `run` raises, and `Preempted`.
        """
        tournament = self._ledger.tournament(tournament_id)
        if tournament.status in (Status.CANCELLED, Status.FAILED):
            raise TournamentEnded(tournament_id)
        if tournament.status is Status.RUNNING:
            tournament.plan.playable()
        while True:
            try:
                return self._play_rounds(lease, tournament_id, time_slice or TimeSlice())
            except _ResultsSetAside:  # results cannot be removed from standings, so read them again
                continue
            finally:
                self._pool.cancel_all()

    def _play_rounds(self, lease: Lease, tournament_id: str, time_slice: TimeSlice) -> TournamentProgress:
        tournament = self._ledger.tournament(tournament_id)
        progress = TournamentProgress(self._ledger, tournament, lambda: self._check(lease))
        replays = Replays(self._sampler, progress.plan.rules_version)
        try:
            while self._next_round(progress, lease):
                round_ = _Round(tournament_id, progress, progress.missing(), lease, time_slice, replays)
                self._play(round_)
                self._set_aside(round_)
        finally:
            replays.cancel()
        return progress

    def _next_round(self, progress: TournamentProgress, lease: Lease) -> bool:
        """Go to the next round. Checks first whether to stop: rounds already played are read one after another."""
        self._check(lease)
        return progress.next_round()

    def _check(self, lease: Lease) -> None:
        lease.check()
        if self._stopping.is_set():
            raise Stopped

    def _play(self, round_: _Round) -> None:
        chunk_sizer = ChunkSizer()
        self._submit_chunks(round_, chunk_sizer)
        round_.time_slice.mark_results_read()
        end = inf
        while self._pool.in_flight:
            played = self._pool.next(RESULT_POLL_SECONDS)
            self._check(round_.lease)
            if played is not None:
                chunk_sizer.add_measurement(played)
                self._take(round_, played)
                self._set_aside(round_)
            if round_.progress.is_decided and not round_.replays.in_flight:
                return  # `run_under` cancels the chunks in flight
            if not round_.time_slice.is_over():
                self._submit_chunks(round_, chunk_sizer)
            elif not self._pool.in_flight or monotonic() > end:
                raise Preempted(round_.tournament_id)
            else:
                end = min(end, monotonic() + DRAIN_SECONDS)

    def _submit_chunks(self, round_: _Round, chunk_sizer: ChunkSizer) -> None:
        """Submit full chunks at first and smaller ones towards the end, so that all workers finish at about once."""
        while self._pool.has_room:
            share = ceil(round_.progress.blocks_left / (2 * self._pool.workers))
            blocks = next_blocks(round_.missing, max(1, min(chunk_sizer.next_size(), share)))
            if not blocks:
                return
            self._pool.submit(Chunk(round_.progress.plan.to_json(), blocks))

    def _take(self, round_: _Round, played: ChunkResult) -> None:
        """Record the results of a chunk, or compare those of replays with the first results."""
        if replayed := round_.replays.finished(played):
            self._compare_all(round_, replayed)
            return
        results = [BlockResult.decode(index, result) for index, result in played.lines]
        self._record(round_, played, results)
        # In one chunk: a task takes Dask milliseconds, as long as several random bots play a match.
        if chosen := round_.replays.choose(played, results, round_.progress.standings.pairs):
            blocks = tuple([round_.progress.block(index) for index in chosen])
            self._pool.submit(Chunk(round_.progress.plan.to_json(), blocks, avoid=played.worker))

    def _compare_all(self, round_: _Round, replayed: list[tuple[PlayedBlock, PlayedBlock]]) -> None:
        metrics.TOURNAMENT_REPLAYS.inc(len(replayed))
        for first, second in replayed:
            if second.worker in self._pool.wrong_workers:  # since an earlier one of these blocks
                round_.replays.give_back(first)
            else:
                self._compare(round_, first, second)

    def _compare(self, round_: _Round, first: PlayedBlock, second: PlayedBlock) -> None:
        """Exclude the worker whose block differs from those that the other worker and this process played.

        Raises `ResultDiffers` if all three differ.
        """
        if first.agrees_with(second) or first.worker in self._pool.wrong_workers:
            return
        chunk = Chunk(round_.progress.plan.to_json(), (round_.progress.block(first.index),))
        third = PlayedBlock.of(self._play_here(chunk, round_.lease))
        wrong = {played.worker for played in (first, second) if not played.agrees_with(third)}
        if len(wrong) > 1:
            self._ledger.record(round_.tournament_id, round_.lease.token, [(second.index, second.result)])
            raise ResultDiffers(round_.tournament_id, [first.index])
        metrics.TOURNAMENT_WRONG_WORKERS.inc()
        found = WrongWorker(wrong.pop(), round_.tournament_id, first.index)
        logger.error(
            "worker %s played block %d of tournament %s wrongly: it gets no more blocks, and its results are set aside",
            *(found.name, found.block, found.tournament_id),
        )
        if not self._pool.exclude(found):
            with suppress(_ResultsSetAside):
                self._set_aside(round_)
            raise ChunkFailed(chunk, "no correct worker is left")

    def _play_here(self, chunk: Chunk, lease: Lease) -> ChunkResult:
        """Play a chunk in this process. Raises `Stopped`, and `LeaseLost`."""

        def check() -> None:
            if self._pool.is_stopped or lease.is_lost:
                raise Cancelled

        try:
            return play_chunk(chunk, check)
        except Cancelled:
            lease.check()
            raise Stopped from None

    def _set_aside(self, round_: _Round) -> None:
        """Set aside the results of wrong workers, and of all rounds that were paired by them."""
        for name, wrong in list(self._pool.wrong_workers.items()):
            if name in self._handled:
                continue
            blocks = self._ledger.blocks_played_by(round_.tournament_id, name)
            if blocks and blocks[0] >= round_.progress.round_end:
                continue  # until its round is the current one: the end of a later round is not known yet
            if blocks or wrong.tournament_id == round_.tournament_id:
                later_from = round_.progress.end_of_round(blocks[0]) if blocks else None
                self._ledger.set_aside(round_.tournament_id, round_.lease.token, wrong, blocks, later_from)
            self._handled.add(name)
            if blocks:
                raise _ResultsSetAside

    def _record(self, round_: _Round, played: ChunkResult, results: list[BlockResult]) -> None:
        progress = round_.progress
        end = self._recorded_matches // progress.plan.table_size
        moves = {index: moves for index, moves in played.moves.items() if index < end}
        self._ledger.record(round_.tournament_id, round_.lease.token, played.lines, moves, played.worker)
        for result in results:
            progress.add(result)
        metrics.TOURNAMENT_MATCHES.inc(sum([len(result.matches) for result in results]))
        metrics.TOURNAMENT_BLOCKS.inc(len(played.lines))
        metrics.TOURNAMENT_BLOCK_SECONDS.inc(played.seconds)
        self._on_progress(ProgressReport(progress.round, progress.results, progress.planned, progress.standings))


@dataclass(frozen=True)
class _Round:
    """A round that is being played, with its lease and time slice."""

    tournament_id: str
    progress: TournamentProgress
    missing: Iterator[Block]
    lease: Lease
    time_slice: TimeSlice
    replays: Replays
