"""Benchmark worker: steps of random seats a second in an environment for learning programs, as JSON.

Usage: `vector_worker.py LIBRARY GAME SECONDS SEED`. A separate program, so that each library runs in its own
environment and process. A step is a choice of one seat, with the observation and the legal actions of the next one.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from random import Random
from time import process_time
from typing import Final

import numpy as np

MATCHES: Final = 256
"""Matches in step of the vector environment."""


def fireside_steps(game: str, seed: int) -> Callable[[], int]:
    """Steps of all matches of a vector environment at two seats, with masks where the game has them by default."""
    from environments.vector import Vector

    environment = Vector(game, MATCHES, seats=2, seed=seed)
    random = np.random.default_rng(seed)
    last = environment.reset()

    def play() -> int:
        nonlocal last
        counts = np.bincount(last.legal_matches)
        chosen = np.cumsum(counts) - counts + (random.random(MATCHES) * counts).astype(np.int64)
        last = environment.step(last.legal_actions[chosen])
        return MATCHES

    return play


def pettingzoo_steps(game: str, seed: int) -> Callable[[], int]:
    """Matches of an AEC environment of PettingZoo."""
    from importlib import import_module

    environment = import_module(f"pettingzoo.classic.{game}").env()
    random = np.random.default_rng(seed)
    environment.reset(seed=seed)

    def play() -> int:
        steps = 0
        environment.reset()
        for _ in environment.agent_iter():
            observation, _, terminated, truncated, _ = environment.last()
            if terminated or truncated:
                environment.step(None)
                continue
            environment.step(int(random.choice(np.flatnonzero(observation["action_mask"]))))
            steps += 1
        return steps

    return play


def rlcard_steps(game: str, seed: int) -> Callable[[], int]:
    """Matches of an environment of RLCard."""
    import rlcard

    environment = rlcard.make(game, config={"seed": seed})
    random = Random(seed)

    def play() -> int:
        steps = 0
        state, _ = environment.reset()
        while not environment.is_over():
            state, _ = environment.step(random.choice(list(state["legal_actions"])))
            steps += 1
        environment.get_payoffs()
        return steps

    return play


STEPS_BY_LIBRARY: Final = {"fireside": fireside_steps, "pettingzoo": pettingzoo_steps, "rlcard": rlcard_steps}


def main(library: str, game: str, seconds: float, seed: int) -> None:
    """Step for `seconds` of processor time, which other processes disturb little, and print the rate."""
    play = STEPS_BY_LIBRARY[library](game, seed)
    play()
    steps = 0
    start = now = process_time()
    while now - start < seconds:
        steps += play()
        now = process_time()
    print(json.dumps(steps / (now - start)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4]))
