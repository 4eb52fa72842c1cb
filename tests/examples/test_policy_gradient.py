"""The example of a learning program runs, and makes choices of winners likelier."""

from __future__ import annotations

import numpy as np
import pytest

from examples.research import policy_gradient
from examples.research.policy_gradient import Choices, Policy


@pytest.mark.parametrize("seat", [0, 1])
def test_a_choice_becomes_likelier_for_the_winner_and_less_likely_for_the_loser(seat: int) -> None:
    policy = Policy(actions=5, size=3)
    observation = np.array([1, 0, 2], np.float32)
    legal = np.array([1, 4])
    before = policy.probabilities(observation, legal)
    policy.learn(Choices([(observation, seat, legal, before, 1)]), np.array([1, -1], np.float32))
    after = policy.probabilities(observation, legal)
    assert (after[1] > before[1]) == (seat == 0)
    assert (policy.weights[[0, 2, 3]] == 0).all()


def test_the_example_trains_and_prints_what_it_won(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(policy_gradient, "MATCHES", 4)
    monkeypatch.setattr(policy_gradient, "TEST_MATCHES", 4)
    policy_gradient.main(250)
    before, after = capsys.readouterr().out.splitlines()
    assert before.endswith("of matches against random moves are won")
    assert after.startswith("after 1,000 choices: ")
