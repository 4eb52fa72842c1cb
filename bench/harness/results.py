"""Results of benchmarks: ratio to a baseline, goal, and output as a table and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True)
class Goal:
    """A bound of the ratio to the baseline: a minimum, or a maximum with `is_maximum`, where less is better."""

    bound: float
    is_maximum: bool = False

    def __str__(self) -> str:
        return f"{'<=' if self.is_maximum else '>='} {self.bound:g}"

    def is_met(self, ratio: float) -> bool:
        """Whether a ratio meets the bound."""
        return ratio <= self.bound if self.is_maximum else ratio >= self.bound


@dataclass(frozen=True)
class Result:
    """A measured value and that of its `baseline`, in the same unit.

    `spread` is the least and the greatest ratio of a round.
    """

    name: str
    value: float
    unit: str
    baseline: str
    baseline_value: float
    goal: Goal | None = None
    ratio: float = 0.0
    spread: tuple[float, float] = (0.0, 0.0)

    @property
    def verdict(self) -> str:
        """`met` or `MISSED` with the goal; empty without a goal."""
        if self.goal is None:
            return ""
        return f"{'met' if self.goal.is_met(self.ratio) else 'MISSED'} ({self.goal})"


def compare_rounds(
    name: str,
    unit: str,
    values: Sequence[float],
    baseline: str,
    baseline_values: Sequence[float],
    goal: Goal | None = None,
) -> Result:
    """Medians over rounds that each measured both values; the ratio is the median of the rounds' ratios."""
    ratios = [value / other for value, other in zip(values, baseline_values, strict=True)]
    spread = (min(ratios), max(ratios))
    return Result(name, median(values), unit, baseline, median(baseline_values), goal, median(ratios), spread)


def write_json(results: Iterable[Result], path: Path) -> None:
    """Write the results as a JSON list."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps([json_object(result) for result in results], indent=2) + "\n")


def json_object(result: Result) -> dict[str, str | float | bool | list[float] | None]:
    """A result as a JSON object."""
    goal = result.goal
    return {
        "name": result.name,
        "value": round(result.value, 3),
        "unit": result.unit,
        "baseline": result.baseline,
        "baseline_value": round(result.baseline_value, 3),
        "ratio": round(result.ratio, 3),
        "ratio_spread": [round(ratio, 3) for ratio in result.spread],
        "goal": str(goal) if goal else None,
        "met": goal.is_met(result.ratio) if goal else None,
    }


def print_table(results: Iterable[Result]) -> None:
    """Print the results as a table."""
    table = Table("name", "value", "unit", "baseline", "baseline value", "ratio", "in rounds", "goal")
    for result in results:
        values = (_format_number(result.value), result.unit, result.baseline, _format_number(result.baseline_value))
        spread = f"{result.spread[0]:.2f} to {result.spread[1]:.2f}"
        table.add_row(result.name, *values, f"{result.ratio:.2f}", spread, result.verdict)
    Console(width=170).print(table)


def _format_number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:,.2f}"
