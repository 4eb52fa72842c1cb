"""Benchmark of random decisions a second in every game, compiled and interpreted, compared with OpenSpiel's games."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from bench.harness.environments import COMPILED, SOURCE
from bench.harness.results import Goal, Result, compare_rounds
from engine_core.games import GAMES

ROUNDS = 9
SECONDS = 0.5
GOALS = {"fire_bulls": Goal(12.0), "spring_festival": Goal(6.0), "fireship": Goal(6.0)}
"""Ratios of the compiled rules to the faster of the others, by game."""
UNIT = "decisions/s"
WORKER = Path(__file__).with_name("playout_worker.py")

SPIEL_GAMES = ("gin_rummy", "backgammon")


@dataclass(frozen=True)
class Contender:
    """A game engine, and the interpreter of its environment."""

    python: Path
    kind: str
    game: str


@dataclass(frozen=True)
class DecisionRates:
    """Moves a second, nature's included, and moves of players alone."""

    moves: float
    choices: float


def measure_contender(contender: Contender, seed: int) -> DecisionRates:
    """Play in a subprocess without the working folder on its path, which could shadow what is installed."""
    command: list[str | Path] = [
        contender.python,
        "-I",
        WORKER,
        contender.kind,
        contender.game,
        str(SECONDS),
        str(seed),
    ]
    return DecisionRates(**json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


def measure_rounds(contenders: list[Contender]) -> list[list[DecisionRates]]:
    """The rounds of each contender. All take turns in a round, so that other load on the machine affects all alike."""
    measured = [[measure_contender(contender, seed) for contender in contenders] for seed in range(ROUNDS)]
    return [list(column) for column in zip(*measured, strict=True)]


def measure() -> list[Result]:
    """The rows of every game, compared with the faster of OpenSpiel's games."""
    spiel = [Contender(COMPILED, "open_spiel", name) for name in SPIEL_GAMES]
    variants = [(COMPILED, "playout"), (SOURCE, "playout"), (COMPILED, "driven"), (SOURCE, "driven")]
    ours = [Contender(python, kind, game) for game in GAMES for python, kind in variants]
    measured = measure_rounds(spiel + ours)
    rivals = [[speed.moves for speed in column] for column in measured[: len(spiel)]]
    best = [max(speeds) for speeds in zip(*rivals, strict=True)]
    results: list[Result] = []
    for number, game in enumerate(GAMES):
        first = len(spiel) + number * len(variants)
        results.extend(rows_of_game(game, measured[first : first + len(variants)], best))
    return results


def rows_of_game(game: str, ours: list[list[DecisionRates]], rival: list[float]) -> list[Result]:
    """The rows of one game; the share of players' moves in a random match is taken from the driven kind."""
    compiled, interpreted, driven, driven_interpreted = [[speed.moves for speed in column] for column in ours]
    choices = [whole * speed.choices / speed.moves for whole, speed in zip(compiled, ours[2], strict=True)]
    baseline = f"OpenSpiel, the faster of {' and '.join(SPIEL_GAMES)}"
    return [
        compare_rounds(f"{game} compiled", UNIT, compiled, baseline, rival, GOALS.get(game)),
        compare_rounds(f"{game} compiled, players only", UNIT, choices, baseline, rival),
        compare_rounds(f"{game} compiled, stepped from Python", UNIT, driven, baseline, rival),
        compare_rounds(f"{game} interpreted", UNIT, interpreted, baseline, rival),
        compare_rounds(f"{game} interpreted, stepped from Python", UNIT, driven_interpreted, baseline, rival),
    ]
