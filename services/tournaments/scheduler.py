"""The foreman: takes up tournaments that nobody plays, a few of them side by side, until it is told to stop."""

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
from services.tournaments.fair_share import SLICE_SECONDS, Turn, Turns
from services.tournaments.ledger.lease import LEASE_SECONDS, Lease, lease_if_free
from services.tournaments.ledger.ledger import (
    LeaseLost,
    Ledger,
    LedgerError,
    LedgerUnavailable,
    ResultDiffers,
    TournamentEnded,
    UnknownTournament,
)
from services.tournaments.plan.plan import InvalidSpec, check_guests
from services.tournaments.play.farm import ChunkFailed, Farm, Stopped
from services.tournaments.results.standings import Standings
from services.tournaments.runner import Coordinator, GaveWay, Progress

log = logging.getLogger(__name__)

SIDE_BY_SIDE: Final = 4
"""How many tournaments are played at once."""
LOOK_SECONDS: Final = 0.5
"""How often to look for work where there is none."""
PUBLISH_SECONDS: Final = 2.0
"""How far what is published may lie behind the results."""
PUBLISH_SHARE: Final = 0.05
"""Of the time, spent on publishing at most: ratings of many entrants take a while."""


class Foreman:
    """Threads that run what lies in a ledger, on workers that are sought when there is something to play."""

    def __init__(
        self,
        ledger: Ledger,
        farm: Callable[[], Farm],
        lease_seconds: float = LEASE_SECONDS,
        guests: Sequence[BotAddress] = (),
        slice_seconds: float = SLICE_SECONDS,
    ) -> None:
        """`guests` are the third parties' bots that may play."""
        turns = Turns(ledger, slice_seconds)
        self._players: Final = [
            Player(f"foreman-{number}", ledger, farm, lease_seconds, guests, turns) for number in range(SIDE_BY_SIDE)
        ]

    def start(self) -> None:
        """Begin to look for work."""
        for player in self._players:
            player.start()

    def stop(self) -> None:
        """Leave what is played to another one, and wait until everything is put down."""
        for player in self._players:
            player.stop()
        for player in self._players:
            player.join()


class Player:
    """A thread that plays one tournament at a time."""

    def __init__(
        self,
        name: str,
        ledger: Ledger,
        farm: Callable[[], Farm],
        lease_seconds: float,
        guests: Sequence[BotAddress],
        turns: Turns,
    ) -> None:
        self._guests: Final = guests
        self._ledger: Final = ledger
        self._farm_of: Final = farm
        self._lease_seconds: Final = lease_seconds
        self._turns: Final = turns
        self._stopping: Final = Event()
        self._farm: Farm | None = None
        self._thread: Final = Thread(target=self._work, name=name, daemon=True)

    def start(self) -> None:
        """Begin to look for work."""
        self._thread.start()

    def stop(self) -> None:
        """Put down what is played, soon."""
        self._stopping.set()
        if self._farm is not None:
            self._farm.stop()

    def join(self) -> None:
        """Wait until it is put down."""
        self._thread.join()

    def _work(self) -> None:
        try:
            while not self._stopping.is_set():
                if not self._take_one():
                    self._stopping.wait(LOOK_SECONDS)
        except Stopped:
            pass
        finally:
            if self._farm is not None:
                self._farm.close()

    def _take_one(self) -> bool:
        """Play the tournament whose turn it is; False where there is none, or something is amiss."""
        tournament_id = ""
        try:
            for tournament_id in self._turns.waiting():
                if self._turns.take(tournament_id):
                    try:
                        if self._play_if_free(tournament_id):
                            return True
                    finally:
                        self._turns.let_go(tournament_id)
            self._turns.put_off_no_longer()
        except Stopped:
            raise
        except LedgerUnavailable as error:
            log.warning("no tournament is played for now: %s", error)
        except Exception:  # nobody else here would play on
            log.exception("no tournament is played for now", extra={"tournament": tournament_id})
            self._turns.put_off(tournament_id)
        return False

    def _play_if_free(self, tournament_id: str) -> bool:
        with lease_if_free(self._ledger, tournament_id, self._lease_seconds) as lease:
            if lease is not None:
                self._play(tournament_id, lease)
        return lease is not None

    def _play(self, tournament_id: str, lease: Lease) -> None:
        outcome = metrics.PUT_DOWN
        turn = self._turns.turn(tournament_id)
        publisher = Publisher(self._ledger, tournament_id, lease)
        try:
            with metrics.TOURNAMENTS.track_inprogress():
                outcome = self._outcome(tournament_id, lease, turn, publisher)
        finally:
            self._turns.note(tournament_id, turn, publisher.results)
            metrics.TOURNAMENTS_OVER.labels(outcome).inc()

    def _outcome(self, tournament_id: str, lease: Lease, turn: Turn, publisher: Publisher) -> str:
        """Play a tournament as far as that goes; what became of it."""
        try:
            check_guests(self._ledger.tournament(tournament_id).plan, self._guests)
            course = Coordinator(self._ledger, self._opened(), publisher.watch).run_under(lease, tournament_id, turn)
            publisher.publish(course.standings)
            self._ledger.finish(tournament_id, lease.token)
            log.info("a tournament is over", extra={"tournament": tournament_id})
            return metrics.FINISHED
        except GaveWay as error:
            publisher.publish_last()
            self._put_down(tournament_id, error)
        except (LeaseLost, TournamentEnded, UnknownTournament) as error:
            with suppress(LedgerError):  # of one that was cancelled, there will be no later one
                publisher.publish_last()
            self._put_down(tournament_id, error)
            self._stopping.wait(LOOK_SECONDS)
        except InvalidSpec as error:
            log.error("a tournament cannot be played here: %s", error, extra={"tournament": tournament_id})
            self._turns.leave_alone(tournament_id)
        except (ChunkFailed, ResultDiffers) as error:
            log.error("a tournament has failed: %s", error, extra={"tournament": tournament_id})
            return self._fail(tournament_id, lease, error.public_text if isinstance(error, ChunkFailed) else str(error))
        return metrics.PUT_DOWN

    def _fail(self, tournament_id: str, lease: Lease, detail: str) -> str:
        try:
            self._ledger.fail(tournament_id, lease.token, detail)
        except LeaseLost as error:
            self._put_down(tournament_id, error)
            return metrics.PUT_DOWN
        return metrics.FAILED

    def _put_down(self, tournament_id: str, why: Exception) -> None:
        log.info("a tournament is put down: %s", why, extra={"tournament": tournament_id})

    def _opened(self) -> Farm:
        if self._farm is None:
            self._farm = self._farm_of()
            if self._stopping.is_set():
                raise Stopped
            self._farm.open()
        return self._farm


class Publisher:
    """Publishes what the results come to, now and then."""

    def __init__(self, ledger: Ledger, tournament_id: str, lease: Lease) -> None:
        self._ledger: Final = ledger
        self._id: Final = tournament_id
        self._lease: Final = lease
        self._next = 0.0
        self._last: Standings | None = None
        self.results = 0
        """How often there were new results."""

    def watch(self, progress: Progress) -> None:
        """Publish, if it is time to."""
        self.results += 1
        self._last = progress.standings
        if monotonic() >= self._next:
            began = monotonic()
            try:
                self.publish(progress.standings)
            except LedgerUnavailable as error:
                log.warning("standings could not be published: %s", error)
            self._next = monotonic() + max(PUBLISH_SECONDS, (monotonic() - began) / PUBLISH_SHARE)

    def publish(self, standings: Standings) -> None:
        """Publish. Raises `LedgerError`."""
        self._ledger.publish(self._id, self._lease.token, messages.summary(standings.report()))
        self._last = None

    def publish_last(self) -> None:
        """Publish what was not published yet, if anything. Raises `LedgerError`."""
        if self._last is not None:
            self.publish(self._last)
