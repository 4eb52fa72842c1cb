"""Measure everything: print a table, and write it to build/bench.json."""

from __future__ import annotations

from pathlib import Path

from bench import apply, decisions, tournaments
from bench.results import show, write
from engine_core.games import GAMES

OUTPUT = Path("build/bench.json")


def main() -> None:
    """Run all measurements."""
    results = decisions.measure(list(GAMES)) + apply.measure() + tournaments.measure()
    write(results, OUTPUT)
    show(results)


if __name__ == "__main__":
    main()
