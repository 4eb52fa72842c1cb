"""Simulated tournaments: results are drawn by known strengths, so that confidence intervals can be checked."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp

import numpy as np

from services.tournaments.plan.plan import Block as PlannedBlock
from services.tournaments.plan.plan import Spec, entrants_by_seat
from services.tournaments.plan.tables import EvenTables
from services.tournaments.results.results import BlockResult, MatchResult


def simulated_blocks(
    spec: Spec, strengths: list[float], luck: float, random: np.random.Generator
) -> Iterator[BlockResult]:
    """Blocks of a tournament whose ranks are drawn by strength.

    `luck` is the standard deviation of a seat's bonus, which is the same in all matches of a block.
    """
    tables = EvenTables(range(len(spec.entrants)), spec.table_size)
    for index in range(spec.blocks * len(tables)):
        seats = luck * random.standard_normal(spec.table_size)
        planned = PlannedBlock(index, tables[index % len(tables)])
        matches = [
            _simulated_match(entrants_by_seat(spec, planned, turn), strengths, seats, random)
            for turn in range(spec.table_size)
        ]
        yield BlockResult(index, tuple(matches))


def _simulated_match(
    entrants: tuple[int, ...], strengths: list[float], seats: np.ndarray, random: np.random.Generator
) -> MatchResult:
    """A match whose ranks are drawn by the Plackett-Luce model: the least exponential time wins."""
    powers = [exp(strengths[entrant] + seat) for entrant, seat in zip(entrants, seats, strict=True)]
    times = random.standard_exponential(len(entrants)) / powers
    ranks = tuple([1 + int((times < time).sum()) for time in times])
    return MatchResult(entrants, tuple([10 - rank for rank in ranks]), ranks, "end", 50)
