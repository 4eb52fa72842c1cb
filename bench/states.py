"""How long a copy of a state, and a determinized one, take beside a random decision of the same game."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Final, cast

from bench.environments import COMPILED
from bench.results import Goal, Result, compared
from engine_core.games import GAMES

ROUNDS: Final = 5
SECONDS: Final = 0.2
WORKER: Final = Path(__file__).with_name("thinking.py")
UNIT: Final = "µs"
GOALS: Final = {"copy": Goal(1.0, most=True), "determinize": Goal(5.0, most=True)}


def rates(kinds: Iterable[str], name: str, seed: int) -> list[float]:
    """How many of each a second, in a process of its own and without the sources on the path."""
    words: list[str | Path] = [COMPILED, "-I", WORKER, ",".join(kinds), name, str(SECONDS), str(seed)]
    return cast(list[float], json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout))


def measure() -> list[Result]:
    """Two rows a game."""
    results: list[Result] = []
    for name in GAMES:
        rounds = [rates(["decision", *GOALS], name, seed) for seed in range(ROUNDS)]
        decided, *others = [[1e6 / rate for rate in column] for column in zip(*rounds, strict=True)]
        for (kind, goal), column in zip(GOALS.items(), others, strict=True):
            results.append(compared(f"{name} {kind}", UNIT, column, "a random decision", decided, goal))
    return results
