"""Tournaments: what a second worker adds, and what the engine takes beside a plain loop over the blocks."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from bench.environments import COMPILED
from bench.results import Goal, Result, compared

ROUNDS = 3
SECONDS = 20.0
SAMPLE = 60
"""Blocks that tell how many take so long."""
WORKER = Path(__file__).with_name("tournament_playing.py")
UNIT = "matches/s"


def run(kind: str, workers: int, blocks: int) -> float:
    """Matches a second, in a process of its own."""
    words: list[str | Path] = [COMPILED, "-I", WORKER, kind, str(workers), str(blocks)]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    return float(json.loads(done.stdout)["matches"])


def measure() -> list[Result]:
    """Two workers beside one, and one beside the plain loop; medians over rounds in which all take their turn."""
    blocks = int(SECONDS * run("loop", 1, SAMPLE) / 2)
    kinds = (("loop", 1), ("farm", 1), ("farm", 2))
    rounds = [[run(kind, workers, blocks) for kind, workers in kinds] for _ in range(ROUNDS)]
    loop, one, two = [list(column) for column in zip(*rounds, strict=True)]
    return [
        compared(f"tournament, 2 workers on {os.cpu_count()} processors", UNIT, two, "1 worker", one, Goal(1.8)),
        compared("tournament, 1 worker", UNIT, one, "a plain loop over its blocks", loop, Goal(0.95)),
    ]
