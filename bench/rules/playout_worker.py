"""Benchmark worker: plays a game at random for a while and prints moves a second as JSON.

Usage: `playout_worker.py KIND GAME SECONDS SEED`. A separate program, so that each engine runs in its own environment
and process. All kinds count alike: whole matches from the start, every move counts, nature's included; `choices` are
the moves of players alone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from random import Random
from time import process_time
from typing import Protocol

MoveCounts = tuple[int, int]
"""Moves of one match, and those among them that a player chose."""


class SpielState(Protocol):
    """The part of an OpenSpiel state that a random match needs."""

    def is_terminal(self) -> bool: ...
    def is_chance_node(self) -> bool: ...
    def chance_outcomes(self) -> list[tuple[int, float]]: ...
    def legal_actions(self) -> list[int]: ...
    def apply_action(self, action: int) -> None: ...


def spiel_matches(name: str, random: Random) -> Callable[[], MoveCounts]:
    """Random matches of an OpenSpiel game, driven from Python, the only way that OpenSpiel offers."""
    import pyspiel

    game = pyspiel.load_game(name)

    def play() -> MoveCounts:
        state: SpielState = game.new_initial_state()
        moves = chances = 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(actions, weights)[0])
                chances += 1
            else:
                state.apply_action(random.choice(state.legal_actions()))
            moves += 1
        return moves, moves - chances

    return play


def fireside_matches(name: str, random: Random) -> Callable[[], MoveCounts]:
    """Random matches played by `engine_core.explore.playout`, with every number of seats in turn."""
    from engine_core.explore import playout
    from engine_core.games import GAMES

    game = GAMES[name]
    options = next(iter(game.presets().values()))
    seat_count = game.min_seats

    def play() -> MoveCounts:
        nonlocal seat_count
        moves = playout(game, game.start(seat_count, options), random)
        seat_count = seat_count + 1 if seat_count < game.max_seats else game.min_seats
        return moves, 0

    return play


def driven_matches(name: str, random: Random) -> Callable[[], MoveCounts]:
    """The same matches, each step driven from Python through the contract of a game, as an outside program would."""
    from engine_core.game import NATURE, Chance, Turn
    from engine_core.games import GAMES

    game = GAMES[name]
    options = next(iter(game.presets().values()))
    seat_count = game.min_seats

    def play() -> MoveCounts:
        nonlocal seat_count
        state = game.start(seat_count, options)
        seat_count = seat_count + 1 if seat_count < game.max_seats else game.min_seats
        moves = choices = 0
        while True:
            phase = game.phase(state)
            if isinstance(phase, Turn):
                seat = random.choice(phase.seats)
                game.apply(state, seat, random.choice(game.legal_moves(state, seat)))
                choices += 1
            elif isinstance(phase, Chance):
                outcome = random.choices(game.legal_moves(state, NATURE), game.weights(state))[0]
                game.apply(state, NATURE, outcome)
            else:
                return moves, choices
            moves += 1

    return play


PLAYERS_BY_KIND = {"playout": fireside_matches, "driven": driven_matches, "open_spiel": spiel_matches}


def main(kind: str, name: str, seconds: float, seed: int) -> None:
    """Play whole matches for `seconds` of processor time, which other processes disturb little."""
    play = PLAYERS_BY_KIND[kind](name, Random(seed))
    play()
    moves = choices = 0
    start = now = process_time()
    while now - start < seconds:
        counts = play()
        moves += counts[0]
        choices += counts[1]
        now = process_time()
    print(json.dumps({"moves": moves / (now - start), "choices": choices / (now - start)}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4]))
