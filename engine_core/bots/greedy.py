"""The bot that looks one move ahead."""

from __future__ import annotations

from random import Random
from typing import Final

from engine_core.bots.bot import AnyObservation
from engine_core.bots.prospects import AnyGame, prospects, settle
from engine_core.explore import below
from engine_core.game import Move, State, Turn

SEED_BITS: Final = 62


class GreedyBot:
    """Makes each move on the same few full states that it cannot tell from the true one, and takes the best.

    What nature draws, and what others choose who were asked at the same time, is drawn at random, with the same luck
    for every move. Between equals the choice is random.
    """

    def __init__(self, samples: int = 4) -> None:
        self.samples: Final = samples

    def choose(self, observation: AnyObservation, random: Random) -> Move:
        moves: list[Move] = observation.legal_moves()
        if len(moves) == 1:
            return moves[0]
        values = outlooks(observation, moves, self.samples, random)
        best = max(values)
        equals = [move for move, value in zip(moves, values, strict=True) if value == best]
        return equals[below(len(equals), random.getrandbits)]


def outlooks(observation: AnyObservation, moves: list[Move], samples: int, random: Random) -> list[float]:
    """What each move leads to for the seat, as `prospects` has it, on average over so many full states."""
    game: AnyGame = observation.game
    sums = [0.0] * len(moves)
    for _ in range(samples):
        state = observation.determinize(random)
        seed = random.getrandbits(SEED_BITS)
        for number, move in enumerate(moves):
            sums[number] += _outlook(game, state, observation.seat, move, Random(seed))
    return [total / samples for total in sums]


def _outlook(game: AnyGame, state: State, seat: int, move: Move, random: Random) -> float:
    phase = game.phase(state)
    asked = phase.seats if isinstance(phase, Turn) else ()
    following = game.after(state, seat, move)
    settle(game, following, tuple([other for other in asked if other != seat]), random)
    return prospects(game, following)[seat]
