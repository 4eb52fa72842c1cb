"""A tournament as JSON and as CSV."""

from __future__ import annotations

import csv
import json
import os
from dataclasses import asdict
from pathlib import Path

from cli.reports.outcome import Outcome


def check_writable(path: Path) -> None:
    """Raises `ValueError` for a file that cannot be written, before hours are spent on what it should hold."""
    if not path.parent.is_dir():
        raise ValueError(f"{path} cannot be written: there is no folder {path.parent}")
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise ValueError(f"{path} cannot be written")


def write_json(outcome: Outcome, path: Path) -> None:
    """Everything, by the names of the classes' fields."""
    path.write_text(json.dumps(asdict(outcome), indent=2) + "\n", encoding="utf-8")


def write_csv(outcome: Outcome, path: Path) -> None:
    """One line an entrant, in the order of the standings."""
    rows = [
        asdict(row) | {f"rating_{name}": value for name, value in asdict(outcome.report.ratings[row.entrant]).items()}
        for row in outcome.report.standings
    ]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
