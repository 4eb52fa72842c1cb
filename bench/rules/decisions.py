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
TWO_PLAYER_GAMES = ("gin_rummy", "backgammon")
CARD_GAMES = ("hearts", "spades", "euchre", "crazy_eights")
"""Of four and five players, with short matches of simple moves: OpenSpiel's fastest games with hands."""
RIVALS = TWO_PLAYER_GAMES + CARD_GAMES
GOALS = {"fire_bulls": Goal(12.0), "spring_festival": Goal(5.0), "fireship": Goal(7.0)}
"""Ratios of the compiled rules to the faster of the two-player games in C++, by game."""
GOALS_OF_CARD_GAMES = {("fire_bulls", "hearts"): Goal(0.6)}
UNIT = "decisions/s"
WORKER = Path(__file__).with_name("playout_worker.py")
NATIVE, DRIVEN = "open_spiel_native", "open_spiel"
BASELINES = {NATIVE: "OpenSpiel in C++", DRIVEN: "OpenSpiel from Python"}
"""Kinds of workers that play OpenSpiel's games."""
VARIANTS = ((COMPILED, "playout"), (SOURCE, "playout"), (COMPILED, "driven"), (SOURCE, "driven"))


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
    """The rows of every game, each compared with OpenSpiel's games in C++ or from Python, as ours is played."""
    rivals = [Contender(COMPILED, kind, name) for kind in BASELINES for name in RIVALS]
    ours = [Contender(python, kind, game) for game in GAMES for python, kind in VARIANTS]
    rates = dict(zip(rivals + ours, measure_rounds(rivals + ours), strict=True))
    return [row for game in GAMES for row in rows_of_game(game, rates)]


def rows_of_game(game: str, rates: dict[Contender, list[DecisionRates]]) -> list[Result]:
    """The rows of one game; the share of players' moves in a random match is taken from the driven kind."""

    def moves(python: Path, kind: str, name: str = game) -> list[float]:
        return [rate.moves for rate in rates[Contender(python, kind, name)]]

    def row(label: str, values: list[float], kind: str, names: tuple[str, ...], goal: Goal | None = None) -> Result:
        """A row compared with the fastest of these games of OpenSpiel."""
        fastest = [max(rivals) for rivals in zip(*(moves(COMPILED, kind, name) for name in names), strict=True)]
        baseline = f"{BASELINES[kind]}, {', '.join(names)}"
        return compare_rounds(f"{game} {label}", UNIT, values, baseline, fastest, goal)

    compiled, driven = moves(COMPILED, "playout"), rates[Contender(COMPILED, "driven", game)]
    choices = [whole * rate.choices / rate.moves for whole, rate in zip(compiled, driven, strict=True)]
    stepped = moves(COMPILED, "driven")
    return [
        row("compiled", compiled, NATIVE, TWO_PLAYER_GAMES, GOALS[game]),
        *(row("compiled", compiled, NATIVE, (name,), GOALS_OF_CARD_GAMES.get((game, name))) for name in CARD_GAMES),
        row("compiled, players only", choices, NATIVE, TWO_PLAYER_GAMES),
        row("compiled, stepped from Python", stepped, DRIVEN, TWO_PLAYER_GAMES),
        *(row("compiled, stepped from Python", stepped, DRIVEN, (name,)) for name in CARD_GAMES),
        row("interpreted", moves(SOURCE, "playout"), NATIVE, TWO_PLAYER_GAMES),
        row("interpreted, stepped from Python", moves(SOURCE, "driven"), DRIVEN, TWO_PLAYER_GAMES),
    ]
