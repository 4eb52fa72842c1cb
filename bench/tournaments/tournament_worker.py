"""Benchmark worker: plays a tournament in several ways and prints the matches a second of each as JSON.

Usage: `tournament_worker.py ROUNDS SECONDS`. A separate program, so that it runs in the environment where the rules
are compiled. All ways play the same blocks and take turns, each for about SECONDS, since the speed of a machine
varies; workers are started and warmed up before the time is taken.
"""

from __future__ import annotations

import json
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from time import monotonic

from services.tournaments.ledger.file import FileLedger
from services.tournaments.plan.plan import Block, Spec
from services.tournaments.play.chunks import Chunk, play_chunk
from services.tournaments.play.worker_pool import WorkerPool
from services.tournaments.runner import Coordinator

SAMPLE_BLOCKS = 100
"""Blocks played first, to estimate how many take SECONDS."""


def plan_of_random_bots(blocks: int) -> Spec:
    """A plan for random bots, which are the fastest: slower ones would hide the cost of coordination."""
    return Spec("fire_bulls", ("random", "random"), 2, blocks=blocks, seed=7)


def plain_loop_seconds(blocks: int) -> float:
    """Seconds to play all blocks in a plain loop in this process, which stores no results."""
    text = plan_of_random_bots(blocks).to_json()
    start = monotonic()
    for index in range(blocks):
        play_chunk(Chunk(text, (Block(index, (0, 1)),)))
    return monotonic() - start


class CoordinatedRun:
    """The same blocks played by the coordinator with a ledger and worker processes."""

    def __init__(self, stack: ExitStack, workers: int) -> None:
        self._ledger = FileLedger(Path(stack.enter_context(tempfile.TemporaryDirectory()), "ledger.db"))
        stack.callback(self._ledger.close)
        pool = WorkerPool(workers)
        stack.callback(pool.close)
        self._coordinator = Coordinator(self._ledger, pool)
        self._number = 0
        self.play_seconds(10 * workers)

    def play_seconds(self, blocks: int) -> float:
        """Seconds to play all blocks."""
        self._number += 1
        self._ledger.create(str(self._number), plan_of_random_bots(blocks), 0)
        start = monotonic()
        self._coordinator.run(str(self._number))
        return monotonic() - start


def main(rounds: int, seconds: float) -> None:
    """Measure and print matches a second of the loop, one worker and two workers."""
    plain_loop_seconds(SAMPLE_BLOCKS)
    blocks = int(SAMPLE_BLOCKS * seconds / plain_loop_seconds(SAMPLE_BLOCKS))
    with ExitStack() as stack:
        one, two = CoordinatedRun(stack, 1), CoordinatedRun(stack, 2)
        times = [
            (plain_loop_seconds(blocks), one.play_seconds(blocks), two.play_seconds(blocks)) for _ in range(rounds)
        ]
    print(
        json.dumps([[blocks * plan_of_random_bots(blocks).table_size / seconds for seconds in each] for each in times])
    )


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
