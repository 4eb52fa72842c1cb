"""Train a deep Q-network of Tianshou for Fire Bulls against random moves, through the environment of PettingZoo.

    pip install '.[pettingzoo]' tianshou  # 6 GB with PyTorch, so no test runs it
    python examples/research/tianshou_dqn.py [STEPS]

Written for Tianshou 2.0. Its targets are the returns of whole matches: the observation that follows a choice in the
buffer is often the opponent's.
"""

from __future__ import annotations

import sys

from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from environments import pettingzoo

MATCHES = 8
WHOLE_MATCH = 300
"""Steps: more than most matches have."""
TEST_MATCHES = 200


def environment() -> PettingZooEnv:
    """One match of Fire Bulls; the learner is the first seat."""
    return PettingZooEnv(pettingzoo.env("fire_bulls"))


def new_learner(match: PettingZooEnv) -> DQN:
    """A network with an output for each action, of which the environment's masks leave the legal ones."""
    observations = match.observation_space["observation"]
    policy = DiscreteQLearningPolicy(
        model=Net(state_shape=observations.shape, action_shape=match.action_space.n, hidden_sizes=[128]),
        action_space=match.action_space,
        observation_space=observations,
        eps_training=0.1,
    )
    optimizer = AdamOptimizerFactory(lr=1e-3)
    return DQN(policy=policy, optim=optimizer, gamma=1.0, n_step_return_horizon=WHOLE_MATCH, target_update_freq=500)


def main(steps: int) -> None:
    """Measure, train and measure again."""
    match = environment()
    opponent = MARLRandomDiscreteMaskedOffPolicyAlgorithm(match.action_space)
    seats = MultiAgentOffPolicyAlgorithm(algorithms=[new_learner(match), opponent], env=match)
    tests = Collector[CollectStats](seats, DummyVectorEnv([environment] * MATCHES))
    buffer = VectorReplayBuffer(10_000, MATCHES)
    choices = Collector[CollectStats](seats, DummyVectorEnv([environment] * MATCHES), buffer, exploration_noise=True)

    def share_won() -> float:
        returns = tests.collect(n_episode=TEST_MATCHES, reset_before_collect=True).returns
        return float((1 + returns[:, 0].mean()) / 2)

    print(f"before: {share_won():.1%} of matches against random moves are won")
    seats.run_training(
        OffPolicyTrainerParams(
            max_epochs=1,
            epoch_num_steps=steps,
            training_collector=choices,
            collection_step_num_env_steps=500,
            batch_size=128,
            update_step_num_gradient_steps_per_sample=0.05,
            multi_agent_return_reduction=lambda returns: returns[:, 0],
            show_progress=False,
        )
    )
    print(f"after {steps:,} steps: {share_won():.1%}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40_000)
