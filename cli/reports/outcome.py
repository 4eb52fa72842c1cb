"""What a tournament came to, with its name: what is shown and written."""

from __future__ import annotations

from dataclasses import dataclass

from services.tournaments.plan.plan import Plan
from services.tournaments.progress import TournamentProgress
from services.tournaments.results.standings import Report


@dataclass(frozen=True)
class Outcome:
    """A tournament as far as it was played."""

    id: str
    status: str
    plan: Plan
    planned: int
    """Blocks of the whole plan."""
    report: Report


def outcome(tournament_id: str, status: str, progress: TournamentProgress) -> Outcome:
    """The outcome of a tournament, from its progress."""
    return Outcome(tournament_id, status, progress.plan, progress.planned, progress.standings.report())
