"""Writes the report of a tournament as JSON, and its standings as CSV."""

from __future__ import annotations

import csv
import json
from dataclasses import asdict
from pathlib import Path

from cli.reports.outcome import Outcome
from services.tournaments.results.estimates import Interval
from services.tournaments.results.ratings import Rating
from services.tournaments.results.standings import Standing


def write_json(outcome: Outcome, path: Path) -> None:
    """Write the outcome as JSON, with field names as in the dataclasses; an interval is `[low, high]` or null."""
    path.write_text(json.dumps(asdict(outcome), indent=2) + "\n", encoding="utf-8")


def write_csv(outcome: Outcome, path: Path) -> None:
    """Write the standings as CSV: one row an entrant, in order of the standings; unknown values are empty."""
    rows = [_cells(row, outcome.report.ratings[row.entrant]) for row in outcome.report.standings]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def _cells(row: Standing, rating: Rating | None) -> dict[str, object]:
    return {
        "entrant": row.entrant,
        "label": row.label,
        "played": row.played,
        "blocks": row.blocks,
        "win_share": row.win_share,
        **_bounds("win_share", row.win_share_interval),
        "mean_points": row.mean_points,
        "mean_rank": row.mean_rank,
        "forfeits": row.forfeits,
        "rating": rating.value if rating else None,
        **_bounds("rating", rating.interval if rating else None),
    }


def _bounds(name: str, interval: Interval | None) -> dict[str, object]:
    low, high = interval or (None, None)
    return {f"{name}_low": low, f"{name}_high": high}
