"""Train a linear policy for Fire Bulls by policy gradients against itself, and measure it against the random bot.

    python examples/research/policy_gradient.py [STEPS]

One file, NumPy only. A legal action's logit is linear in the observation; a softmax over the legal actions chooses.
When a match ends, each of its choices is made more or less likely by the return of its seat (REINFORCE).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from environments.vector import Step, Vector

Floats = npt.NDArray[np.float32]

GAME = "fire_bulls"
MATCHES = 128
RATE = 0.02
TEST_MATCHES = 1000


@dataclass
class Choices:
    """The choices of one match so far: observation, seat, legal actions, their probabilities, and which was chosen."""

    made: list[tuple[Floats, int, npt.NDArray[np.int64], Floats, int]] = field(default_factory=list)


class Policy:
    """A weight for each action and number of an observation."""

    def __init__(self, actions: int, size: int) -> None:
        self.weights: Floats = np.zeros((actions, size), np.float32)

    def probabilities(self, observation: Floats, legal: npt.NDArray[np.int64]) -> Floats:
        """Of each legal action."""
        logits = self.weights[legal] @ observation
        shares = np.exp(logits - logits.max())
        return np.asarray(shares / shares.sum(), np.float32)

    def learn(self, choices: Choices, returns: Floats) -> None:
        """Make the choices of a match that has ended more likely where their seat won."""
        for observation, seat, legal, shares, chosen in choices.made:
            gradient = -shares
            gradient[chosen] += 1
            self.weights[legal] += RATE * returns[seat] * np.outer(gradient, observation)


def legal_actions(step: Step, matches: int) -> list[npt.NDArray[np.int64]]:
    """The legal actions of each match."""
    counts = np.bincount(step.legal_matches, minlength=matches)
    return np.split(step.legal_actions, np.cumsum(counts)[:-1])


def scaled(observations: npt.NDArray[np.int8]) -> Floats:
    """Observations as vectors of length 1, so that one rate suits all of them."""
    numbers = observations.astype(np.float32)
    return np.asarray(numbers / np.linalg.norm(numbers, axis=1, keepdims=True), np.float32)


def drawn(shares: Floats, random: np.random.Generator) -> int:
    """A place drawn by these probabilities."""
    return min(int(np.searchsorted(np.cumsum(shares), random.random())), len(shares) - 1)


def train(policy: Policy, steps: int, random: np.random.Generator) -> None:
    """Play against itself for a number of steps, and learn from each match that ends."""
    environment = Vector(GAME, MATCHES, seed=1)
    step = environment.reset()
    matches = [Choices() for _ in range(MATCHES)]
    for _ in range(steps):
        observations = scaled(step.observations)
        actions = np.zeros(MATCHES, np.int64)
        for number, legal in enumerate(legal_actions(step, MATCHES)):
            shares = policy.probabilities(observations[number], legal)
            chosen = drawn(shares, random)
            actions[number] = legal[chosen]
            if len(legal) > 1:
                matches[number].made.append((observations[number], int(step.seats[number]), legal, shares, chosen))
        step = environment.step(actions)
        for number in np.flatnonzero(step.finished).tolist():
            policy.learn(matches[number], step.rewards[number])
            matches[number] = Choices()


def share_won(policy: Policy, random: np.random.Generator) -> float:
    """The share of matches that the policy wins against random moves, in either seat; a tie is half of one."""
    environment = Vector(GAME, MATCHES, seed=2)
    step = environment.reset()
    ours = np.arange(MATCHES) % 2
    results: list[float] = []
    while len(results) < TEST_MATCHES:
        observations = scaled(step.observations)
        actions = np.zeros(MATCHES, np.int64)
        for number, legal in enumerate(legal_actions(step, MATCHES)):
            is_ours = step.seats[number] == ours[number]
            shares = policy.probabilities(observations[number], legal)
            actions[number] = legal[drawn(shares, random) if is_ours else random.integers(len(legal))]
        step = environment.step(actions)
        results += [(1 + float(step.rewards[number][ours[number]])) / 2 for number in np.flatnonzero(step.finished)]
    return float(np.mean(results))


def main(steps: int) -> None:
    """Measure, train and measure again."""
    encoding = Vector(GAME, 1).encoding
    policy = Policy(encoding.action_count, encoding.observation_size)
    random = np.random.default_rng(1)
    print(f"before: {share_won(policy, random):.1%} of matches against random moves are won")
    train(policy, steps, random)
    print(f"after {steps * MATCHES:,} choices: {share_won(policy, random):.1%}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4000)
