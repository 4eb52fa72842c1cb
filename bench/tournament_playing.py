"""Play a tournament and print how fast it went: `tournament_playing.py loop|farm WORKERS BLOCKS`, as JSON.

A program of its own, so that it runs in the environment where the rules are compiled. Both kinds play the same blocks,
to the last; processes are started and have played before the time begins.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from time import monotonic

from services.tournaments.chunks import Chunk, play_chunk
from services.tournaments.farm import Farm
from services.tournaments.file_ledger import FileLedger
from services.tournaments.plan import Block, Spec
from services.tournaments.runner import Coordinator


def plan(blocks: int) -> Spec:
    """The fastest of bots: any other leaves the engine less to do."""
    return Spec("fire_bulls", ("random", "random"), 2, blocks=blocks, seed=7)


def loop(blocks: int) -> float:
    """Seconds for all blocks one after another in this process, their results kept nowhere."""
    text = plan(blocks).to_json()
    play_chunk(Chunk(text, (Block(blocks, (0, 1)),)))
    start = monotonic()
    for index in range(blocks):
        play_chunk(Chunk(text, (Block(index, (0, 1)),)))
    return monotonic() - start


def farm(workers: int, blocks: int) -> float:
    """The same by the coordinator, its ledger and workers."""
    with tempfile.TemporaryDirectory() as folder:
        ledger = FileLedger(Path(folder, "ledger.db"))
        ledger.create("warming up", plan(10 * workers), 0)
        ledger.create("measured", plan(blocks), 0)
        opened = Farm(workers)
        coordinator = Coordinator(ledger, opened)
        coordinator.run("warming up")
        start = monotonic()
        coordinator.run("measured")
        seconds = monotonic() - start
        opened.close()
        ledger.close()
    return seconds


def main(kind: str, workers: int, blocks: int) -> None:
    """Measure one kind."""
    seconds = loop(blocks) if kind == "loop" else farm(workers, blocks)
    print(json.dumps({"matches": blocks * plan(blocks).table_size / seconds}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
