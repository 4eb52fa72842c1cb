"""What a measurement gives, as a table and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True)
class Result:
    """A number beside another of the same unit; `goal` is the least ratio we want, None where there is none."""

    name: str
    value: float
    unit: str
    beside: str
    beside_value: float
    goal: float | None = None

    @property
    def ratio(self) -> float:
        """How many times the other number this one is."""
        return self.value / self.beside_value

    @property
    def verdict(self) -> str:
        """Whether the goal is met, in a word; empty where there is none."""
        if self.goal is None:
            return ""
        return f"{'met' if self.ratio >= self.goal else 'MISSED'} ({self.goal:g})"


def write(results: Iterable[Result], path: Path) -> None:
    """Keep the results as a list of JSON objects."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps([row(result) for result in results], indent=2) + "\n")


def row(result: Result) -> dict[str, str | float | None]:
    """A result as JSON has it."""
    return {
        "name": result.name,
        "value": round(result.value, 1),
        "unit": result.unit,
        "beside": result.beside,
        "beside_value": round(result.beside_value, 1),
        "ratio": round(result.ratio, 3),
        "goal": result.goal,
    }


def show(results: Iterable[Result]) -> None:
    """Print the results as a table."""
    table = Table("name", "value", "unit", "beside", "beside value", "ratio", "goal")
    for result in results:
        values = (f"{result.value:,.0f}", result.unit, result.beside, f"{result.beside_value:,.0f}")
        table.add_row(result.name, *values, f"{result.ratio:.2f}", result.verdict)
    Console(width=140).print(table)
