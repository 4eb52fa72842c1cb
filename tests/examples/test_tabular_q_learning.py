"""The example of OpenSpiel's Q-learner runs, and learns to choose the kind of move that wins."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from open_spiel.python.algorithms.tabular_qlearner import QLearner
from open_spiel.python.rl_tools import ConstantSchedule

from environments.gymnasium import make
from examples.research import tabular_q_learning
from examples.research.tabular_q_learning import Table, play


def test_the_kinds_of_a_position_have_all_its_legal_actions() -> None:
    environment = make("fire_bulls")
    observation, _ = environment.reset(seed=1)
    table, encoding = Table(environment), environment.play.encoding
    kinds = table.actions_by_kind(observation)
    legal = encoding.legal_actions(environment.play.state, 0)
    assert sorted(action for actions in kinds.values() for action in actions) == legal
    for kind, actions in kinds.items():
        block = encoding.actions.blocks[kind]
        assert {type(encoding.move(action)) for action in actions} == {block.move_class}
    view: Any = environment.play.game.view(environment.play.state, 0)
    assert table.row(observation, list(kinds)) == (tuple(kinds), view.seats[0].hand_size)


def test_what_ends_a_match_changes_the_value_of_its_last_choice() -> None:
    learner = QLearner(0, 11, step_size=0.5, epsilon_schedule=ConstantSchedule(1.0))
    outcome = play(make("fire_bulls"), learner, Random(1), learn=True)
    values = [value for row in learner._q_values.values() for value in row.values() if value]
    assert outcome
    assert values
    assert np.sign(values).tolist() == [np.sign(outcome)] * len(values)


def test_the_example_trains_and_prints_what_it_won(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tabular_q_learning, "TEST_MATCHES", 2)
    tabular_q_learning.main(2)
    before, after = capsys.readouterr().out.splitlines()
    assert before.endswith("of matches against random moves are won")
    assert after.startswith("after 2 matches: ")
