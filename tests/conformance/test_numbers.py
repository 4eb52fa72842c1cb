"""Perft counts and golden play-throughs, compared with recorded data."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from engine_core.explore import perft, random_step
from tests.conformance.game_setups import GAME_SETUPS, LAW_SETUPS, GameSetup
from tests.conformance.playthrough import playthrough

DATA = Path(__file__).parents[1] / "data"


@pytest.mark.parametrize("setup", LAW_SETUPS, ids=str)
def test_perft_counts_equal_the_recorded_counts(setup: GameSetup) -> None:
    recorded = json.loads((DATA / "perft" / f"{setup}.json").read_text())
    for case in recorded:
        state = setup.start()
        random = Random(case["seed"])
        for _ in range(case["moves"]):
            random_step(setup.game, state, random)
        assert [perft(setup.game, state, depth) for depth in range(1, len(case["counts"]) + 1)] == case["counts"]


@pytest.mark.parametrize("setup", GAME_SETUPS, ids=str)
def test_a_golden_match_is_played_as_recorded(setup: GameSetup) -> None:
    recorded = (DATA / "playthroughs" / f"{setup}.txt").read_text()
    assert playthrough(setup) == recorded
