"""Play a tournament for a while and print how fast it went: `tournament_playing.py loop|farm WORKERS SECONDS`, as JSON.

A program of its own, so that it runs in the environment where the rules are compiled. The plan is large, and cut off at
the end of the time: matches count when their results are in the ledger. Starting the processes is not counted.
"""

from __future__ import annotations

import json
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from time import monotonic

from services.tournaments.chunks import Chunk, play_chunk
from services.tournaments.course import Course, take
from services.tournaments.farm import Farm, Stopped
from services.tournaments.file_ledger import FileLedger
from services.tournaments.plan import Spec
from services.tournaments.runner import Coordinator, Progress

SPEC = Spec("fire_bulls", ("random", "greedy", "mcts:iterations=10"), 2, blocks=1_000_000, seed=7)


def loop(seconds: float) -> float:
    """Blocks one after another in this process, kept nowhere."""
    with tempfile.TemporaryDirectory() as folder:
        ledger = FileLedger(Path(folder, "ledger.db"))
        ledger.create("loop", SPEC, 0)
        course = Course(ledger, ledger.tournament("loop"))
        course.next_round()
        missing = course.missing()
        play_chunk(Chunk(SPEC.to_json(), take(missing, 1)))
        done = 0
        start = now = monotonic()
        while now - start < seconds:
            play_chunk(Chunk(SPEC.to_json(), take(missing, 1)))
            done += 1
            now = monotonic()
        ledger.close()
    return done * SPEC.table_size / (now - start)


class Watch:
    """Counts from the first chunk that comes back until the last one within the time."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._first: Progress | None = None
        self.coordinator: Coordinator | None = None
        self.rate = 0.0

    def __call__(self, progress: Progress) -> None:
        now = monotonic()
        if self._first is None:
            self._first, self._start = progress, now
        elif self.coordinator is not None:
            self.rate = (progress.done - self._first.done) * SPEC.table_size / (now - self._start)
            if now - self._start >= self._seconds:
                self.coordinator.stop()


def farm(workers: int, seconds: float) -> float:
    """The same by the coordinator, its ledger and workers."""
    watch = Watch(seconds)
    opened = Farm(workers)
    with tempfile.TemporaryDirectory() as folder:
        ledger = FileLedger(Path(folder, "ledger.db"))
        ledger.create("farm", SPEC, 0)
        watch.coordinator = Coordinator(ledger, opened, watch)
        opened.open()
        with suppress(Stopped):
            watch.coordinator.run("farm")
        opened.close()
        ledger.close()
    return watch.rate


def main(kind: str, workers: int, seconds: float) -> None:
    """Measure one kind."""
    print(json.dumps({"matches": loop(seconds) if kind == "loop" else farm(workers, seconds)}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
