"""Kuhn poker as a game of OpenSpiel: its whole tree, and an algorithm that solves it. `test_laws.py` runs them."""

from __future__ import annotations

from typing import Any

import pyspiel
import pytest
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms.cfr import CFRPlusSolver
from open_spiel.python.algorithms.exploitability import nash_conv
from open_spiel.python.policy import UniformRandomPolicy

from environments import openspiel
from tests.environments.test_openspiel_api import assert_passes

DEALS_AND_SHOWDOWNS = 4 + 18
"""Of OpenSpiel's own Kuhn poker there are 4 deals; here nature also turns up both hands."""


@pytest.fixture
def kuhn_poker() -> Any:
    [name] = openspiel.register()
    return pyspiel.load_game(name)


def test_openspiel_accepts_the_whole_tree(kuhn_poker: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    name = kuhn_poker.get_type().short_name
    _, choices, ends = api_test.TOTAL_NUM_STATES["kuhn_poker"]
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, name, (DEALS_AND_SHOWDOWNS, choices, ends))
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, name, api_test.PERFECT_RECALL_NUM_STATES["kuhn_poker"])
    assert_passes(api_test.EnforceAPIOnFullTreeBase, kuhn_poker)


def test_counterfactual_regret_minimization_finds_an_equilibrium(kuhn_poker: Any) -> None:
    solver = CFRPlusSolver(kuhn_poker)
    for _ in range(30):
        solver.evaluate_and_update_policy()
    assert (
        nash_conv(kuhn_poker, solver.average_policy()) < 0.01 < nash_conv(kuhn_poker, UniformRandomPolicy(kuhn_poker))
    )
