"""Outcome of a tournament for reports: its id, status, plan, standings, ratings, pairs and wrong workers."""

from __future__ import annotations

from dataclasses import dataclass

from services.tournaments.ledger.ledger import Tournament, WrongWorker
from services.tournaments.plan.plan import Plan
from services.tournaments.progress import TournamentProgress
from services.tournaments.results.standings import Report


@dataclass(frozen=True)
class Outcome:
    """A tournament and its results so far."""

    id: str
    status: str
    plan: Plan
    planned: int
    """Blocks of the whole plan."""
    report: Report
    wrong_workers: tuple[WrongWorker, ...]
    set_aside: int
    """Number of results that were set aside because of them."""


def outcome(tournament: Tournament, progress: TournamentProgress) -> Outcome:
    """The outcome computed from the progress of a tournament."""
    return Outcome(
        tournament.id,
        tournament.status.value,
        progress.plan,
        progress.planned,
        progress.standings.report(),
        tournament.wrong_workers,
        tournament.set_aside,
    )
