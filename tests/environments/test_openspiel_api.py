"""The games of OpenSpiel pass its own Python API tests, `open_spiel.integration_tests.api_test`."""

from __future__ import annotations

import random
import unittest
from typing import Any

import pyspiel
import pytest
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms.sample_some_states import sample_some_states

from environments import openspiel
from tests.conformance.game_setups import GAME_SETUPS, GameSetup


class SomePositions(api_test.EnforceAPIOnPartialTreeBase):  # type: ignore[misc] # open_spiel has no types
    """OpenSpiel's tests on 100 positions near the start of a match, a quarter of what it takes itself."""

    __test__ = False  # not by itself: it has no game

    @classmethod
    def setUpClass(cls) -> None:
        random.seed(1)
        cls.some_states = sample_some_states(cls.game, max_states=100)
        cls.game_type = cls.game.get_type()


def assert_passes(base: type[Any], game: Any) -> None:
    """Run all test methods of a class of OpenSpiel's on a game."""
    case = type("ApiTest", (base,), {"game": game, "game_name": game.get_type().short_name})
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    result = unittest.TestResult()
    suite.run(result)
    assert result.testsRun == suite.countTestCases() > 4
    assert [text for _, text in result.errors + result.failures] == []


@pytest.mark.parametrize("setup", GAME_SETUPS, ids=str)
def test_openspiel_accepts_the_game_at_many_positions(setup: GameSetup) -> None:
    openspiel.register()
    game = pyspiel.load_game(f"fireside_{setup.game.name}", {"seats": setup.seat_count, "preset": setup.preset})
    assert_passes(SomePositions, game)
