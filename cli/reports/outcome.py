"""Outcome of a tournament for reports: its id, status, plan, standings, ratings and pairs."""

from __future__ import annotations

from dataclasses import dataclass

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


def outcome(tournament_id: str, status: str, progress: TournamentProgress) -> Outcome:
    """The outcome computed from the progress of a tournament."""
    return Outcome(tournament_id, status, progress.plan, progress.planned, progress.standings.report())
