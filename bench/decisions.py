"""Random decisions a second of every game, compiled and interpreted, beside OpenSpiel's games driven from Python."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bench.environments import COMPILED, SOURCE
from bench.results import Result

ROUNDS = 7
SECONDS = 1.0
GOALS = {"fire_bulls": 8.0, "spring_festival": 3.0, "fireship": 3.0}
"""Least ratio of the compiled rules, by game."""
UNIT = "decisions/s"
WORKER = Path(__file__).with_name("playing.py")

SPIEL_GAMES = ("gin_rummy", "backgammon")


@dataclass(frozen=True)
class Contender:
    """An engine in its environment."""

    python: Path
    kind: str
    game: str


@dataclass(frozen=True)
class Speed:
    """Moves a second, nature's included, and those of players alone."""

    moves: float
    choices: float


def run(contender: Contender, seed: int) -> Speed:
    """Play in a process of its own; without the working folder on the path, which could shadow what is installed."""
    command: list[str | Path] = [
        contender.python,
        "-P",
        WORKER,
        contender.kind,
        contender.game,
        str(SECONDS),
        str(seed),
    ]
    return Speed(**json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


def speeds(contenders: list[Contender]) -> list[Speed]:
    """Medians over rounds in which all take their turn: what else the machine does then meets all of them."""
    rounds = [[run(contender, seed) for contender in contenders] for seed in range(ROUNDS)]
    return [
        Speed(median([speed.moves for speed in column]), median([speed.choices for speed in column]))
        for column in zip(*rounds, strict=True)
    ]


def measure(games: list[str]) -> list[Result]:
    """The rows of every game, beside both games of OpenSpiel."""
    spiel = [Contender(COMPILED, "open_spiel", name) for name in SPIEL_GAMES]
    ways = [(COMPILED, "playout"), (SOURCE, "playout"), (COMPILED, "driven"), (SOURCE, "driven")]
    ours = [Contender(python, kind, game) for game in games for python, kind in ways]
    measured = speeds(spiel + ours)
    rivals = dict(zip(SPIEL_GAMES, measured, strict=False))
    results: list[Result] = []
    for number, game in enumerate(games):
        first = len(spiel) + number * len(ways)
        results.extend(rows(game, measured[first : first + len(ways)], rivals))
    return results


def rows(game: str, ours: list[Speed], rivals: dict[str, Speed]) -> list[Result]:
    """One game's results; the share of players in a random match is the driven one's."""
    compiled, interpreted, driven, driven_interpreted = ours
    choices = compiled.moves * driven.choices / driven.moves
    results: list[Result] = []
    for rival, speed in rivals.items():
        beside = f"OpenSpiel {rival}"
        results += [
            Result(f"{game} compiled", compiled.moves, UNIT, beside, speed.moves, GOALS[game]),
            Result(f"{game} compiled, players only", choices, UNIT, beside, speed.choices),
            Result(f"{game} compiled, stepped from Python", driven.moves, UNIT, beside, speed.moves),
            Result(f"{game} interpreted", interpreted.moves, UNIT, beside, speed.moves),
            Result(f"{game} interpreted, stepped from Python", driven_interpreted.moves, UNIT, beside, speed.moves),
        ]
    return results
