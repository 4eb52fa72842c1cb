"""Leases of tournaments: one holder at a time, renewal, expiry and fencing tokens."""

from __future__ import annotations

import time
from threading import Event, Timer

import pytest

from services.tournaments.ledger.lease import RENEWAL_SECONDS, hold_lease
from services.tournaments.ledger.ledger import LeaseLost, Ledger, UnknownTournament
from tests.services.tournaments.plans import SPEC


@pytest.fixture(autouse=True)
def _created(ledger: Ledger, tournament_id: str) -> None:
    ledger.create(tournament_id, SPEC, 1000)


def test_a_lease_is_renewed_while_it_is_held(ledger: Ledger, tournament_id: str) -> None:
    with hold_lease(ledger, tournament_id, 1.2, Event()) as lease:
        time.sleep(2)
        lease.check()
        assert ledger.record(tournament_id, lease.token, [(0, b"zero")]) == [0]
        assert ledger.acquire(tournament_id, 400) is None
    assert ledger.acquire(tournament_id, 400) is not None


def test_a_lost_lease_is_noticed(ledger: Ledger, tournament_id: str) -> None:
    with hold_lease(ledger, tournament_id, 0.4, Event()) as lease:
        ledger.release(tournament_id, lease.token)
        time.sleep(0.3)
        with pytest.raises(LeaseLost):
            lease.check()


def test_fault05_the_lease_of_a_tournament_that_is_cancelled_is_lost(ledger: Ledger, tournament_id: str) -> None:
    with hold_lease(ledger, tournament_id, 0.4, Event()) as lease:
        ledger.cancel(tournament_id)
        assert not ledger.renew(tournament_id, lease.token, 400)
        time.sleep(0.3)
        with pytest.raises(LeaseLost):
            lease.check()
    assert not ledger.tournament(tournament_id).leased


def test_fault05_a_cancelled_tournament_is_noticed_long_before_its_lease_runs_out(
    ledger: Ledger, tournament_id: str
) -> None:
    with hold_lease(ledger, tournament_id, 600, Event()) as lease:
        ledger.cancel(tournament_id)
        time.sleep(RENEWAL_SECONDS + 0.5)
        with pytest.raises(LeaseLost):
            lease.check()


def test_a_second_coordinator_waits_for_the_lease_to_expire(ledger: Ledger, tournament_id: str) -> None:
    first = ledger.acquire(tournament_id, 300)
    start = time.monotonic()
    with hold_lease(ledger, tournament_id, 0.4, Event()) as lease:
        assert first is not None
        assert lease.token > first
    assert time.monotonic() - start > 0.2


def test_waiting_for_the_lease_of_a_deleted_tournament_ends(ledger: Ledger, tournament_id: str) -> None:
    token = ledger.acquire(tournament_id, 60_000)
    assert token is not None

    def release_and_delete() -> None:
        ledger.release(tournament_id, token)
        ledger.delete(tournament_id)

    Timer(0.2, release_and_delete).start()
    with pytest.raises(UnknownTournament), hold_lease(ledger, tournament_id, 8, Event()):
        raise AssertionError("there was a lease to be had")


def test_waiting_for_a_lease_can_be_stopped(ledger: Ledger, tournament_id: str) -> None:
    ledger.acquire(tournament_id, 60_000)
    stopping = Event()
    Timer(0.2, stopping.set).start()
    with pytest.raises(LeaseLost), hold_lease(ledger, tournament_id, 0.4, stopping):
        raise AssertionError("it was not waited for")
