"""Benchmark of search iterations a second: `mcts` on Fire Bulls, compared with OpenSpiel's searches on gin rummy."""

from __future__ import annotations

from typing import Final

from bench.harness.results import Goal, Result, compare_rounds
from bench.rules.states import operation_rates

GAME: Final = "fire_bulls"
RIVAL_GAME: Final = "gin_rummy"
OPENSPIEL_SEARCHES: Final = ("spiel_ismcts", "spiel_mcts")
GOAL: Final = Goal(3.0)
ROUNDS: Final = 3
UNIT: Final = "iterations/s"


def measure() -> list[Result]:
    """Two rows: rollouts of twelve moves, as the bot uses them, and to the end of the match, as OpenSpiel's are."""
    ours = ("mcts", "mcts_to_the_end")
    rounds = [
        [*operation_rates(ours, GAME, seed), max(operation_rates(OPENSPIEL_SEARCHES, RIVAL_GAME, seed))]
        for seed in range(ROUNDS)
    ]
    played, to_the_end, rival = [list(column) for column in zip(*rounds, strict=True)]
    baseline = f"OpenSpiel {RIVAL_GAME}, the faster of ISMCTS and MCTS"
    return [
        compare_rounds(f"{GAME} mcts", UNIT, played, baseline, rival, GOAL),
        compare_rounds(f"{GAME} mcts, played out to the end", UNIT, to_the_end, baseline, rival),
    ]
