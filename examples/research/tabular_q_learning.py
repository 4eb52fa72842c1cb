"""Train OpenSpiel's tabular Q-learner for Fire Bulls against the random bot, and measure it before and after.

    python examples/research/tabular_q_learning.py [MATCHES]

A table needs few positions and few actions: it has the kinds of moves that are legal (draw, attack, stop, …) with the
number of cards in hand, and chooses a kind; which move of that kind is made is random.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from random import Random

import numpy as np
from open_spiel.python.algorithms.tabular_qlearner import QLearner
from open_spiel.python.rl_environment import StepType, TimeStep
from open_spiel.python.rl_tools import LinearSchedule

from environments.gymnasium import SeatEnvironment, make
from environments.spaces import Observation

GAME = "fire_bulls"
STEP_SIZE = 0.05
DISCOUNT = 0.98
EXPLORATION = 0.5
"""Share of random choices at the start of the training; 0 at its end."""
CHOICES_A_MATCH = 70
TEST_MATCHES = 1000


class Table:
    """What the learner knows of a position, and which actions a kind has."""

    def __init__(self, environment: SeatEnvironment) -> None:
        encoding = environment.play.encoding
        self.firsts = [block.first for block in encoding.actions.blocks]
        hand = next(part for part in encoding.slices if part.name == "hand")
        self.hand = slice(hand.start, hand.start + hand.size)

    def actions_by_kind(self, observation: Observation) -> dict[int, list[int]]:
        """The legal actions of each kind of move."""
        found: dict[int, list[int]] = {}
        for action in np.flatnonzero(observation["action_mask"]).tolist():
            found.setdefault(bisect_right(self.firsts, action) - 1, []).append(action)
        return found

    def row(self, observation: Observation, kinds: list[int]) -> tuple[tuple[int, ...], int]:
        """The row of the table for a position."""
        return tuple(kinds), int(observation["observation"][self.hand].sum())


def play(environment: SeatEnvironment, learner: QLearner, random: Random, *, learn: bool) -> float:
    """Play a match; its return, from -1 to 1."""
    table = Table(environment)
    observation, _ = environment.reset(seed=random.getrandbits(32))
    kind_of_step, reward, over = StepType.FIRST, 0.0, False
    while True:
        actions = {} if over else table.actions_by_kind(observation)
        known = {"info_state": [table.row(observation, list(actions))], "legal_actions": [list(actions)]}
        step = TimeStep({**known, "current_player": 0}, [reward], [1.0], kind_of_step)
        chosen = learner.step(step, is_evaluation=not learn)
        if over:
            return reward
        observation, reward, over, _, _ = environment.step(random.choice(actions[chosen.action]))
        kind_of_step = StepType.LAST if over else StepType.MID


def share_won(environment: SeatEnvironment, learner: QLearner, random: Random) -> float:
    """The share of matches that the learner wins; a tie is half of one."""
    return float(np.mean([(1 + play(environment, learner, random, learn=False)) / 2 for _ in range(TEST_MATCHES)]))


def main(matches: int) -> None:
    """Measure, train and measure again."""
    environment, random = make(GAME, opponents="random"), Random(1)
    np.random.seed(1)  # by which the learner explores
    exploration = LinearSchedule(EXPLORATION, 0.0, matches * CHOICES_A_MATCH)
    kinds = len(environment.play.encoding.actions.blocks)
    learner = QLearner(0, kinds, step_size=STEP_SIZE, epsilon_schedule=exploration, discount_factor=DISCOUNT)
    print(f"before: {share_won(environment, learner, random):.1%} of matches against random moves are won")
    for _ in range(matches):
        play(environment, learner, random, learn=True)
    print(f"after {matches:,} matches: {share_won(environment, learner, random):.1%}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1200)
