"""Lease of a tournament: the exclusive right of one coordinator to write results, renewed by a thread."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Final

from services.tournaments.ledger.ledger import LeaseLost, Ledger, LedgerUnavailable

logger = logging.getLogger(__name__)

LEASE_SECONDS: Final = 10.0
MIN_RENEWALS: Final = 4
"""Least number of renewals in the lifetime of a lease."""
RENEWAL_SECONDS: Final = 1.0
"""Longest time between two renewals; a renewal is also how a coordinator notices that a tournament was cancelled."""


class Lease:
    """A held lease. `token` fences every write, so correctness does not depend on renewals in time."""

    def __init__(self, ledger: Ledger, tournament_id: str, token: int, seconds: float) -> None:
        self.token: Final = token
        self._ledger: Final = ledger
        self._tournament_id: Final = tournament_id
        self._seconds: Final = seconds
        self._released: Final = Event()
        self._lost: Final = Event()
        self._thread: Final = Thread(target=self._renew, name="lease", daemon=True)

    @property
    def is_lost(self) -> bool:
        """Whether the last renewal found it lost, or the tournament ended."""
        return self._lost.is_set()

    def check(self) -> None:
        """Raise `LeaseLost` if it is lost."""
        if self.is_lost:
            raise LeaseLost(self._tournament_id)

    def start(self) -> None:
        """Start the thread that renews the lease."""
        self._thread.start()

    def release(self) -> None:
        """Stop renewing the lease, and release it."""
        self._released.set()
        self._thread.join()
        try:
            self._ledger.release(self._tournament_id, self.token)
        except LedgerUnavailable as error:
            logger.warning("the lease could not be released, and will expire: %s", error)

    def _renew(self) -> None:
        while not self._released.wait(min(self._seconds / MIN_RENEWALS, RENEWAL_SECONDS)):
            try:
                held = self._ledger.renew(self._tournament_id, self.token, int(self._seconds * 1000))
            except LedgerUnavailable as error:
                logger.warning("the lease could not be renewed: %s", error)
                continue
            if not held:
                self._lost.set()
                return


@contextmanager
def hold_lease(ledger: Ledger, tournament_id: str, seconds: float, stopping: Event) -> Iterator[Lease]:
    """Wait for the lease of a tournament, and hold it within the block.

    Raises `LeaseLost` if `stopping` is set while it waits, and `UnknownTournament` if the tournament is deleted.
    """
    is_logged = False
    while (token := ledger.acquire(tournament_id, int(seconds * 1000))) is None:
        ledger.tournament(tournament_id)
        if not is_logged:
            logger.warning("tournament %s is played by another coordinator: waiting for its lease", tournament_id)
            is_logged = True
        if stopping.wait(seconds / MIN_RENEWALS):
            raise LeaseLost(tournament_id)
    with _hold(ledger, tournament_id, token, seconds) as lease:
        yield lease


@contextmanager
def try_lease(ledger: Ledger, tournament_id: str, seconds: float) -> Iterator[Lease | None]:
    """Hold the lease of a tournament within the block, without waiting; None if another coordinator holds it."""
    token = ledger.acquire(tournament_id, int(seconds * 1000))
    if token is None:
        yield None
    else:
        with _hold(ledger, tournament_id, token, seconds) as lease:
            yield lease


@contextmanager
def _hold(ledger: Ledger, tournament_id: str, token: int, seconds: float) -> Iterator[Lease]:
    lease = Lease(ledger, tournament_id, token, seconds)
    lease.start()
    try:
        yield lease
    finally:
        lease.release()
