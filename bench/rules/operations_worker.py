"""Benchmark worker: operations a second on states of a game, and search iterations a second.

Usage: `operations_worker.py KIND,KIND... GAME SECONDS SEED`. A separate program, so that each engine runs in its own
environment and process. `copy`, `determinize` and `spiel_resample` work on positions of random matches, called from
Python; `mcts`, `spiel_ismcts` and `spiel_mcts` count iterations of a search on positions early in a match. Prints the
rate of each kind as a JSON list.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from itertools import cycle
from random import Random
from time import process_time
from typing import Any, Final, Protocol

POSITION_INTERVAL: Final = 7
"""Every 7th position of a match is measured."""
MATCHES: Final = 3
ITERATIONS: Final = 100
EXPLORATION: Final = 1.4
MEMORY_MB: Final = 200
UNLIMITED_DEPTH: Final = 10_000
BOT_DEPTH: Final = 12

WorkUnit = Callable[[], int]
"""Does some work, and returns how many units it did."""


class SpielBot(Protocol):
    """The part of an OpenSpiel bot that chooses a move."""

    def step(self, state: Any) -> int: ...


def random_positions(name: str, random: Random) -> list[Any]:
    """Positions from all stages of random matches."""
    from engine_core.explore import random_step
    from engine_core.games import GAMES

    game = GAMES[name]
    found = []
    for seat_count in range(game.min_seats, game.max_seats + 1):
        for _ in range(MATCHES):
            state, number = game.start(seat_count, next(iter(game.presets().values()))), 0
            while random_step(game, state, random):
                number += 1
                if number % POSITION_INTERVAL == 0:
                    found.append(game.copy(state))
    return found


def copy_work(name: str, random: Random) -> WorkUnit:
    """Copies states."""
    from engine_core.games import GAMES

    game, states = GAMES[name], random_positions(name, random)

    def work() -> int:
        for state in states:
            game.copy(state)
        return len(states)

    return work


def determinize_work(name: str, random: Random) -> WorkUnit:
    """Draws full states that are consistent with the view of the first seat."""
    from engine_core.games import GAMES

    game, states = GAMES[name], random_positions(name, random)

    def work() -> int:
        for state in states:
            game.determinize(state, 0, random)
        return len(states)

    return work


def search_work(name: str, random: Random, depth: int) -> WorkUnit:
    """Runs iterations of our search, in a match of two seats."""
    from engine_core.bots.mcts import MctsBot
    from engine_core.bots.observation import Observation
    from engine_core.explore import random_step
    from engine_core.game import Turn
    from engine_core.games import GAMES

    game = GAMES[name]
    observations: list[Observation[Any, Any, Any, Any]] = []
    state = game.start(2, next(iter(game.presets().values())))
    while random_step(game, state, random) and len(observations) < 4 * MATCHES:
        phase = game.phase(state)
        if isinstance(phase, Turn) and len(game.legal_moves(state, phase.seats[0])) > 1:
            observations.append(Observation(game, game.copy(state), phase.seats[0]))
    bot, next_observations = MctsBot(iterations=ITERATIONS, depth=depth), cycle(observations)

    def work() -> int:
        bot.choose(next(next_observations), random)
        return ITERATIONS

    return work


def spiel_decisions(game: Any, random: Random) -> list[Any]:
    """The states of a random match in which a player, not chance, is to move."""
    found: list[Any] = []
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(actions, weights)[0])
        else:
            found.append(state.clone())
            state.apply_action(random.choice(state.legal_actions()))
    return found


def spiel_resample_work(name: str, random: Random) -> WorkUnit:
    """Draws full states that are consistent with the information state of the first player, by OpenSpiel."""
    import pyspiel

    game = pyspiel.load_game(name)
    states = [state for _ in range(MATCHES) for state in spiel_decisions(game, random)[::POSITION_INTERVAL]]

    def work() -> int:
        for state in states:
            state.resample_from_infostate(0, random.random)
        return len(states)

    return work


def spiel_search_work(name: str, random: Random, kind: str) -> WorkUnit:
    """Runs iterations of a search of OpenSpiel, called from Python."""
    import pyspiel

    game = pyspiel.load_game(name)
    seed = random.getrandbits(30)
    rollouts = pyspiel.RandomRolloutEvaluator(1, seed)
    visits = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    bots: dict[str, Callable[[], SpielBot]] = {
        "spiel_ismcts": lambda: pyspiel.ISMCTSBot(seed, rollouts, EXPLORATION, ITERATIONS, -1, visits, False, False),
        "spiel_mcts": lambda: pyspiel.MCTSBot(game, rollouts, EXPLORATION, ITERATIONS, MEMORY_MB, False, seed, False),
    }
    early = [state for state in spiel_decisions(game, random) if len(state.legal_actions()) > 1][: 4 * MATCHES]
    bot, next_observations = bots[kind](), cycle(early)

    def work() -> int:
        bot.step(next(next_observations))
        return ITERATIONS

    return work


def decision_work(name: str, random: Random) -> WorkUnit:
    """Makes the random decisions of whole matches, nature's included, with every number of seats in turn."""
    from engine_core.explore import playout
    from engine_core.games import GAMES

    game = GAMES[name]
    seats = cycle(range(game.min_seats, game.max_seats + 1))
    options = next(iter(game.presets().values()))
    return lambda: playout(game, game.start(next(seats), options), random)


WORK_BY_KIND: Final[dict[str, Callable[[str, Random], WorkUnit]]] = {
    "decision": decision_work,
    "copy": copy_work,
    "determinize": determinize_work,
    "mcts": lambda name, random: search_work(name, random, BOT_DEPTH),
    "mcts_to_the_end": lambda name, random: search_work(name, random, UNLIMITED_DEPTH),
    "spiel_resample": spiel_resample_work,
    "spiel_ismcts": lambda name, random: spiel_search_work(name, random, "spiel_ismcts"),
    "spiel_mcts": lambda name, random: spiel_search_work(name, random, "spiel_mcts"),
}


def operation_rate(work: WorkUnit, seconds: float) -> float:
    """Units of work a second of processor time, which other processes disturb little."""
    work()
    done = 0
    start = now = process_time()
    while now - start < seconds:
        done += work()
        now = process_time()
    return done / (now - start)


def main(kinds: str, name: str, seconds: float, seed: int) -> None:
    """Measure each kind for `seconds`, and print the rates."""
    print(json.dumps([operation_rate(WORK_BY_KIND[kind](name, Random(seed)), seconds) for kind in kinds.split(",")]))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4]))
