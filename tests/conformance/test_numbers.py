"""Counts of positions within a few moves, and golden matches, kept as data."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from engine_core.explore import perft, random_step
from tests.conformance.playthrough import playthrough
from tests.conformance.tables import TABLES, Table

DATA = Path(__file__).parents[1] / "data"


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_counts_of_positions_are_as_recorded(table: Table) -> None:
    recorded = json.loads((DATA / "perft" / f"{table}.json").read_text())
    for case in recorded:
        state = table.start()
        random = Random(case["seed"])
        for _ in range(case["moves"]):
            random_step(table.game, state, random)
        assert [perft(table.game, state, depth) for depth in range(1, len(case["counts"]) + 1)] == case["counts"]


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_golden_match_is_played_as_recorded(table: Table) -> None:
    recorded = (DATA / "playthroughs" / f"{table}.txt").read_text()
    assert playthrough(table) == recorded
