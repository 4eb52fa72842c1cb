"""Benchmark of copying a state, compared with a random decision, and of `determinize`, compared with OpenSpiel's."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Final, cast

from bench.harness.environments import COMPILED
from bench.harness.results import Goal, Result, compare_rounds
from engine_core.games import GAMES

ROUNDS: Final = 5
SECONDS: Final = 0.2
WORKER: Final = Path(__file__).with_name("operations_worker.py")
UNIT: Final = "µs"
COPY_GOAL: Final = Goal(1.0, is_maximum=True)
RIVAL_GAME: Final = "gin_rummy"
RIVAL_NAME: Final = f"OpenSpiel {RIVAL_GAME}, resample_from_infostate"


def operation_rates(kinds: Iterable[str], name: str, seed: int) -> list[float]:
    """Operations a second of each kind, measured in a subprocess that does not see the sources."""
    arguments: list[str | Path] = [COMPILED, "-I", WORKER, ",".join(kinds), name, str(SECONDS), str(seed)]
    return cast(list[float], json.loads(subprocess.run(arguments, check=True, capture_output=True, text=True).stdout))


def measure() -> list[Result]:
    """Two rows a game: copy and `determinize`."""
    results: list[Result] = []
    for name in GAMES:
        rounds = [
            [
                *operation_rates(["decision", "copy", "determinize"], name, seed),
                *operation_rates(["spiel_resample"], RIVAL_GAME, seed),
            ]
            for seed in range(ROUNDS)
        ]
        decision, copy, determinize, rival = [[1e6 / rate for rate in column] for column in zip(*rounds, strict=True)]
        results.append(compare_rounds(f"{name} copy", UNIT, copy, "a random decision", decision, COPY_GOAL))
        results.append(compare_rounds(f"{name} determinize", UNIT, determinize, RIVAL_NAME, rival))
    return results
