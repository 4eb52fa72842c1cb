"""Benchmark worker: plays a game at random for a while and prints moves a second as JSON.

Usage: `playout_worker.py KIND GAME SECONDS SEED`. A separate program, so that each engine runs in its own environment
and process. All kinds count alike: whole matches, every move counts, nature's included; `choices` are the moves of
players alone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from random import Random
from time import process_time
from typing import Protocol

SEATS = 2
ROLLOUTS = 100
"""Matches that OpenSpiel plays in C++ for one call from Python: the call and the deal are below 1 % of the time."""
MATCHES_COUNTED = 300
"""How many are driven from Python to know the mean length of a rollout, to about 3 %."""
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
    """Random matches of an OpenSpiel game, each step driven from Python."""
    import pyspiel

    game = pyspiel.load_game(name)
    return lambda: _finish(game.new_initial_state(), random)


def spiel_rollouts(name: str, random: Random) -> Callable[[], MoveCounts]:
    """Random matches of an OpenSpiel game, played in C++ from the first choice of a player, after a deal from Python.

    OpenSpiel has one way to that from Python: the random rollouts with which its MCTS bot values the root. It does not
    count their moves: they are taken from the mean of matches driven from Python, from the same positions.
    """
    import pyspiel

    game = pyspiel.load_game(name)
    counted_moves = sum(_finish(_dealt(game.new_initial_state(), random), random)[0] for _ in range(MATCHES_COUNTED))
    moves = round(ROLLOUTS * counted_moves / MATCHES_COUNTED)
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, random.getrandbits(30))
    bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, random.getrandbits(30), False)

    def play() -> MoveCounts:
        bot.mcts_search(_dealt(game.new_initial_state(), random))
        return moves, 0

    return play


def _dealt(state: SpielState, random: Random) -> SpielState:
    """The state, at the first choice of a player."""
    while state.is_chance_node():
        _draw(state, random)
    return state


def _draw(state: SpielState, random: Random) -> None:
    """Make one of nature's moves."""
    actions, weights = zip(*state.chance_outcomes(), strict=True)
    state.apply_action(random.choices(actions, weights)[0])


def _finish(state: SpielState, random: Random) -> MoveCounts:
    """Make random moves until the match is over."""
    moves = chances = 0
    while not state.is_terminal():
        if state.is_chance_node():
            _draw(state, random)
            chances += 1
        else:
            state.apply_action(random.choice(state.legal_actions()))
        moves += 1
    return moves, moves - chances


def fireside_matches(name: str, random: Random) -> Callable[[], MoveCounts]:
    """Random matches of two seats played by `engine_core.explore.playout`."""
    from engine_core.explore import playout
    from engine_core.games import GAMES

    game = GAMES[name]
    options = next(iter(game.presets().values()))
    return lambda: (playout(game, game.start(SEATS, options), random), 0)


def driven_matches(name: str, random: Random) -> Callable[[], MoveCounts]:
    """The same matches, each step driven from Python through the contract of a game, as an outside program would."""
    from engine_core.game import NATURE, Chance, Turn
    from engine_core.games import GAMES

    game = GAMES[name]
    options = next(iter(game.presets().values()))

    def play() -> MoveCounts:
        state = game.start(SEATS, options)
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


PLAYERS_BY_KIND = {
    "playout": fireside_matches,
    "driven": driven_matches,
    "open_spiel": spiel_matches,
    "open_spiel_native": spiel_rollouts,
}


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
