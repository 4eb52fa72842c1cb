"""Runs the benchmarks: prints a table and writes build/bench.json. `python -m bench [ROW...]` runs only those rows."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from bench.harness.results import Result, print_table, write_json
from bench.rules import decisions, search, states, vector
from bench.services import (
    apply,
    batches,
    engines,
    first_picture,
    peers,
    pictures,
    play_streams,
    processes,
    rest,
    serve,
    snapshots,
    startup,
)
from bench.tournaments import tournaments

OUTPUT: Final = Path("build/bench.json")

ROWS: Final[dict[str, Callable[[], list[Result]]]] = {
    "decisions": decisions.measure,
    "states": states.measure,
    "mcts": search.measure,
    "vector": vector.measure,
    "apply": apply.measure,
    "batch": batches.measure,
    "play": play_streams.measure,
    "peers": peers.measure,
    "pictures": pictures.measure,
    "first-picture": first_picture.measure,
    "rest": rest.measure,
    "serve": serve.measure,
    "processes": processes.measure,
    "engines": engines.measure,
    "snapshots": snapshots.measure,
    "startup": startup.measure,
    "tournaments": tournaments.measure,
}
"""The function that measures each row, by its name on the command line."""


def main(names: Sequence[str]) -> int:
    """Run the named benchmarks, all if no name is given; the exit code, 2 for an unknown name."""
    unknown = sorted(set(names) - set(ROWS))
    if unknown:
        print(f"bench: there is no {', '.join(unknown)}, but {', '.join(ROWS)}", file=sys.stderr)
        return 2
    results: list[Result] = []
    for name in names or ROWS:
        results += ROWS[name]()
    write_json(results, OUTPUT)
    print_table(results)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
