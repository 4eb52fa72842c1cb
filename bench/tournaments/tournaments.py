"""Benchmark of tournaments: two workers compared with one, and one compared with a plain loop over the blocks."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from bench.harness.environments import COMPILED
from bench.harness.results import Goal, Result, compare_rounds

ROUNDS = 9
SECONDS = 8.0
"""Approximate seconds of each way in a round."""
WORKER = Path(__file__).with_name("tournament_worker.py")
UNIT = "matches/s"


def measure() -> list[Result]:
    """Two rows; medians over rounds in which loop, one worker and two workers take turns."""
    arguments: list[str | Path] = [COMPILED, "-I", WORKER, str(ROUNDS), str(SECONDS)]
    rounds = json.loads(subprocess.run(arguments, check=True, capture_output=True, text=True).stdout)
    loop, one, two = [list(column) for column in zip(*rounds, strict=True)]
    return [
        compare_rounds(f"tournament, 2 workers on {os.cpu_count()} processors", UNIT, two, "1 worker", one, Goal(1.8)),
        compare_rounds("tournament, 1 worker", UNIT, one, "a plain loop over its blocks", loop, Goal(0.95)),
    ]
