"""Benchmark of steps a second of the vector environment on a core, compared with PettingZoo and RLCard."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

from bench.harness.environments import COMPILED, LEARNING
from bench.harness.results import Goal, Result, compare_rounds
from engine_core.games import GAMES

ROUNDS: Final = 5
SECONDS: Final = 1.0
BASELINES: Final = [
    ("PettingZoo gin_rummy_v4", "pettingzoo", "gin_rummy_v4", Goal(20.0)),
    ("RLCard gin-rummy", "rlcard", "gin-rummy", Goal(8.0)),
    ("RLCard leduc-holdem", "rlcard", "leduc-holdem", None),
]
"""The label of each row, the library, its game, and the goal of the ratio."""
WORKER: Final = Path(__file__).with_name("vector_worker.py")


def measure() -> list[Result]:
    """The rows of every game at two seats; none where the libraries to compare with are not installed."""
    if not LEARNING.exists():
        print("bench: no vector: pip could not install PettingZoo 1.25 and RLCard", file=sys.stderr)
        return []
    ours: dict[str, list[float]] = {name: [] for name in GAMES}
    theirs: dict[str, list[float]] = {label: [] for label, *_ in BASELINES}
    for seed in range(ROUNDS):  # all in each round, so that other load on the machine affects all alike
        for name, rates in ours.items():
            rates.append(step_rate(COMPILED, "fireside", name, seed))
        for label, library, game, _ in BASELINES:
            theirs[label].append(step_rate(LEARNING, library, game, seed))
    return [
        compare_rounds(f"{name} vector", "steps/s", rates, label, theirs[label], goal)
        for name, rates in ours.items()
        for label, _, _, goal in BASELINES
    ]


def step_rate(python: Path, library: str, game: str, seed: int) -> float:
    """Steps a second of processor time, in a process without the working folder on its path."""
    command: list[str | Path] = [python, "-I", WORKER, library, game, str(SECONDS), str(seed)]
    return float(
        json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1])
    )
