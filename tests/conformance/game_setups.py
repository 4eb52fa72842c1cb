"""The game setups that the laws run over: each game, preset and number of seats."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import engine_core.game
from engine_core.chance import Luck
from engine_core.explore import random_below
from engine_core.game import SPECTATOR, Move, Options, State
from engine_core.games import GAMES, AnyGame
from engine_core.match import AnyMatch, Match

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class GameSetup:
    """A game with a preset and a number of seats."""

    game: AnyGame
    preset: str
    seat_count: int

    def options(self) -> Options:
        options: Options = self.game.presets()[self.preset]
        return options

    def start(self) -> State:
        state: State = self.game.start(self.seat_count, self.options())
        return state

    def observers(self) -> list[int]:
        return [SPECTATOR, *range(self.seat_count)]

    def match(self, seed: int) -> AnyMatch:
        match = Match(self.game, self.start(), Luck(seed.to_bytes(32, "big"), []))
        match.begin()
        return match

    def __str__(self) -> str:
        return f"{self.game.name}-{self.preset}-{self.seat_count}"


GAME_SETUPS = [
    GameSetup(game, preset, seats)
    for game in GAMES.values()
    for preset in game.presets()
    for seats in range(game.min_seats, game.max_seats + 1)
]


def diagonal(game: AnyGame) -> Iterator[GameSetup]:
    """Setups with each preset and each number of seats of a game, but not with each pair of both."""
    presets, seats = list(game.presets()), range(game.min_seats, game.max_seats + 1)
    for number in range(max(len(presets), len(seats))):
        yield GameSetup(game, presets[number % len(presets)], seats[number % len(seats)])


RULES_ARE_COMPILED = not str(engine_core.game.__file__).endswith(".py")
LAW_SETUPS = (
    GAME_SETUPS
    if RULES_ARE_COMPILED or "FIRESIDE_EVERY_SETUP" in os.environ
    else [setup for game in GAMES.values() for setup in diagonal(game)]
)
"""Setups of laws that take seconds on the sources: all of them on the wheel, which `make test-compiled` tests."""


def first_setup(game: AnyGame) -> GameSetup:
    """The setup of a game with its first preset and the fewest seats."""
    return next(setup for setup in GAME_SETUPS if setup.game.name == game.name)


def match_length(game: AnyGame) -> int:
    """Number of moves of a match at random: some tests make fewer moves in short games."""
    match, random, moves = first_setup(game).match(seed=1), Random(1), 0
    while not match.is_over():
        match.play(*random_choice(match, random))
        moves += 1
    return moves


def game_folder(game: str) -> Path:
    """The folder that holds a game's protos and page: the project, or the folder of a game of the tests."""
    return next(root for root in (ROOT, ROOT / "tests" / game) if (root / "proto/fireside" / game).is_dir())


def random_choice(match: AnyMatch, random: Random) -> tuple[int, Move]:
    """A seat to move and one of its legal moves."""
    to_move = match.to_move()
    seat = to_move[random_below(len(to_move), random.getrandbits)]
    moves = match.legal_moves(seat)
    return seat, moves[random_below(len(moves), random.getrandbits)]
