"""Scheduler of tournaments: threads that take leases of unfinished tournaments and play them, a few at once."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Event, Thread
from time import monotonic
from typing import Final

from runtime.telemetry import metrics
from services.bots.remote.allowed import BotAddress
from services.tournaments import messages
from services.tournaments.fair_share import SLICE_SECONDS, FairShare, TimeSlice
from services.tournaments.ledger.lease import LEASE_SECONDS, Lease, try_lease
from services.tournaments.ledger.ledger import (
    LeaseLost,
    Ledger,
    LedgerError,
    LedgerUnavailable,
    ResultDiffers,
    TournamentEnded,
    UnknownTournament,
)
from services.tournaments.plan.plan import InvalidSpec, check_remote_bots, refuse_imported_bots
from services.tournaments.play.worker_pool import ChunkFailed, Stopped, WorkerPool
from services.tournaments.replays import ReplaySampler
from services.tournaments.results.standings import Standings
from services.tournaments.runner import Coordinator, Preempted, ProgressReport
from services.tournaments.settings import RECORDED_MATCHES, REPLAY_SHARE

logger = logging.getLogger(__name__)

CONCURRENT_TOURNAMENTS: Final = 4
"""How many tournaments are played at once."""
IDLE_POLL_SECONDS: Final = 0.5
"""Pause before looking for a tournament again when none was free."""
PUBLISH_SECONDS: Final = 2.0
"""Shortest time between two publications of standings."""
PUBLISH_SHARE: Final = 0.05
"""Greatest share of the time spent on publishing: ratings of many entrants take long to compute."""


class Scheduler:
    """Plays unfinished tournaments in `CONCURRENT_TOURNAMENTS` threads; opens worker pools when first needed."""

    def __init__(
        self,
        ledger: Ledger,
        pool: Callable[[], WorkerPool],
        lease_seconds: float = LEASE_SECONDS,
        remote_bots: Sequence[BotAddress] = (),
        slice_seconds: float = SLICE_SECONDS,
        recorded_matches: int = RECORDED_MATCHES,
        replay_share: float = REPLAY_SHARE,
    ) -> None:
        """`remote_bots` are the addresses of the remote bots that may be called.

        `replay_share` is the share of each worker's blocks that another worker plays again.
        """
        fair_share = FairShare(ledger, slice_seconds)
        self._threads: Final = [
            SchedulerThread(
                f"scheduler-{number}",
                ledger,
                pool,
                lease_seconds,
                remote_bots,
                fair_share,
                recorded_matches,
                ReplaySampler(replay_share),
            )
            for number in range(CONCURRENT_TOURNAMENTS)
        ]

    def start(self) -> None:
        """Begin to look for work."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Stop playing and release all leases, so that another scheduler can continue; wait until that is done."""
        for thread in self._threads:
            thread.stop()
        for thread in self._threads:
            thread.join()


class SchedulerThread:
    """A thread that plays one tournament at a time."""

    def __init__(
        self,
        name: str,
        ledger: Ledger,
        pool: Callable[[], WorkerPool],
        lease_seconds: float,
        remote_bots: Sequence[BotAddress],
        fair_share: FairShare,
        recorded_matches: int,
        sampler: ReplaySampler,
    ) -> None:
        self._sampler: Final = sampler
        self._recorded_matches: Final = recorded_matches
        self._remote_bots: Final = remote_bots
        self._ledger: Final = ledger
        self._new_pool: Final = pool
        self._lease_seconds: Final = lease_seconds
        self._fair_share: Final = fair_share
        self._stopping: Final = Event()
        self._pool: WorkerPool | None = None
        self._thread: Final = Thread(target=self._work, name=name, daemon=True)

    def start(self) -> None:
        """Begin to look for work."""
        self._thread.start()

    def stop(self) -> None:
        """Request the thread to stop playing; returns at once."""
        self._stopping.set()
        if self._pool is not None:
            self._pool.stop()

    def join(self) -> None:
        """Wait until the thread has ended."""
        self._thread.join()

    def _work(self) -> None:
        try:
            while not self._stopping.is_set():
                if not self._play_next():
                    self._stopping.wait(IDLE_POLL_SECONDS)
        except Stopped:
            pass
        finally:
            if self._pool is not None:
                self._pool.close()

    def _play_next(self) -> bool:
        """Play the next tournament that is free; False if there is none, or on an error."""
        tournament_id = ""
        try:
            for tournament_id in self._fair_share.waiting():
                if self._fair_share.claim(tournament_id):
                    try:
                        if self._play_if_free(tournament_id):
                            return True
                    finally:
                        self._fair_share.release_claim(tournament_id)
            self._fair_share.retry_deferred()
        except Stopped:
            raise
        except LedgerUnavailable as error:
            logger.warning("no tournament is played for now: %s", error)
        except Exception:  # the thread must survive: nothing would restart it
            logger.exception("no tournament is played for now", extra={"tournament": tournament_id})
            self._fair_share.defer(tournament_id)
        return False

    def _play_if_free(self, tournament_id: str) -> bool:
        with try_lease(self._ledger, tournament_id, self._lease_seconds) as lease:
            if lease is not None:
                self._play(tournament_id, lease)
        return lease is not None

    def _play(self, tournament_id: str, lease: Lease) -> None:
        outcome = metrics.OUTCOME_INTERRUPTED
        time_slice = self._fair_share.time_slice(tournament_id)
        publisher = Publisher(self._ledger, tournament_id, lease)
        try:
            with metrics.TOURNAMENTS_RUNNING.track_inprogress():
                outcome = self._play_slice(tournament_id, lease, time_slice, publisher)
        finally:
            self._fair_share.add_slice(tournament_id, time_slice, publisher.results)
            metrics.TOURNAMENTS_OVER.labels(outcome).inc()

    def _play_slice(self, tournament_id: str, lease: Lease, time_slice: TimeSlice, publisher: Publisher) -> str:
        """Play a tournament until it ends, is preempted or fails; returns the outcome for the metrics."""
        try:
            plan = self._ledger.tournament(tournament_id).plan
            check_remote_bots(plan, self._remote_bots)
            refuse_imported_bots(plan.entrants)  # a command may have put its tournament into the same ledger
            coordinator = Coordinator(
                self._ledger,
                self._opened_pool(),
                publisher.on_progress,
                recorded_matches=self._recorded_matches,
                sampler=self._sampler,
            )
            progress = coordinator.run_under(lease, tournament_id, time_slice)
            publisher.publish(progress.standings)
            self._ledger.finish(tournament_id, lease.token)
            logger.info("a tournament is over", extra={"tournament": tournament_id})
            return metrics.OUTCOME_FINISHED
        except Preempted as error:
            publisher.publish_last()
            self._log_stopped(tournament_id, error)
        except (LeaseLost, TournamentEnded, UnknownTournament) as error:
            with suppress(LedgerError):  # a cancelled tournament gets no later publication
                publisher.publish_last()
            self._log_stopped(tournament_id, error)
            self._stopping.wait(IDLE_POLL_SECONDS)
        except InvalidSpec as error:
            logger.error("a tournament cannot be played here: %s", error, extra={"tournament": tournament_id})
            self._fair_share.exclude(tournament_id)
        except (ChunkFailed, ResultDiffers) as error:
            logger.error("a tournament has failed: %s", error, extra={"tournament": tournament_id})
            return self._fail(tournament_id, lease, error.public_text if isinstance(error, ChunkFailed) else str(error))
        return metrics.OUTCOME_INTERRUPTED

    def _fail(self, tournament_id: str, lease: Lease, detail: str) -> str:
        try:
            self._ledger.fail(tournament_id, lease.token, detail)
        except LeaseLost as error:
            self._log_stopped(tournament_id, error)
            return metrics.OUTCOME_INTERRUPTED
        return metrics.OUTCOME_FAILED

    def _log_stopped(self, tournament_id: str, why: Exception) -> None:
        logger.info("stopped playing a tournament: %s", why, extra={"tournament": tournament_id})

    def _opened_pool(self) -> WorkerPool:
        if self._pool is None:
            self._pool = self._new_pool()
            if self._stopping.is_set():
                raise Stopped
            self._pool.open()
        return self._pool


class Publisher:
    """Stores the standings in the ledger while a tournament is played, at most every `PUBLISH_SECONDS`."""

    def __init__(self, ledger: Ledger, tournament_id: str, lease: Lease) -> None:
        self._ledger: Final = ledger
        self._id: Final = tournament_id
        self._lease: Final = lease
        self._next = 0.0
        self._last: Standings | None = None
        self.results = 0
        """Number of progress reports received."""

    def on_progress(self, progress: ProgressReport) -> None:
        """Receive a progress report, and publish its standings if the last publication is long enough ago."""
        self.results += 1
        self._last = progress.standings
        if monotonic() >= self._next:
            began = monotonic()
            try:
                self.publish(progress.standings)
            except LedgerUnavailable as error:
                logger.warning("standings could not be published: %s", error)
            self._next = monotonic() + max(PUBLISH_SECONDS, (monotonic() - began) / PUBLISH_SHARE)

    def publish(self, standings: Standings) -> None:
        """Publish standings. Raises `LedgerError`."""
        self._ledger.publish(self._id, self._lease.token, messages.encode_standings(standings.report()))
        self._last = None

    def publish_last(self) -> None:
        """Publish the latest standings unless they have been published. Raises `LedgerError`."""
        if self._last is not None:
            self.publish(self._last)
