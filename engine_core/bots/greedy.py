"""The bot that looks one move ahead."""

from __future__ import annotations

from random import Random
from typing import Final

from engine_core.bots.bot import AnyObservation
from engine_core.bots.prospects import AnyGame, prospect, settle
from engine_core.explore import below
from engine_core.game import Move, State, Turn

SEED_BITS: Final = 62


Outlook = tuple[float, float, float]
"""Of a move: the seat's prospects after it, what its own position evaluates to, and whether it is still to move."""


class GreedyBot:
    """Makes each move on the same few full states that it cannot tell from the true one, and takes the best.

    What nature draws, and what others choose who were asked at the same time, is drawn at random, with the same luck
    for every move. Of moves with equal prospects it takes the one with more for itself, so that a match which is won or
    lost is played on; of these one after which it may still do something. Between equals the choice is random.
    """

    def __init__(self, samples: int = 4) -> None:
        self.samples: Final = samples

    def choose(self, observation: AnyObservation, random: Random) -> Move:
        moves: list[Move] = observation.legal_moves()
        if len(moves) == 1:
            return moves[0]
        return best_of(moves, outlooks(observation, moves, self.samples, random), random)


def best_of(moves: list[Move], found: list[Outlook], random: Random) -> Move:
    """The move with the best outlook; one of the equals at random."""
    best = max(found)
    equals = [move for move, outlook in zip(moves, found, strict=True) if outlook == best]
    return equals[below(len(equals), random.getrandbits)]


def outlooks(observation: AnyObservation, moves: list[Move], samples: int, random: Random) -> list[Outlook]:
    """What each move leads to for the seat, on average over so many full states."""
    game: AnyGame = observation.game
    found = [(0.0, 0.0, 0.0)] * len(moves)
    for _ in range(samples):
        state = observation.determinize(random)
        seed = random.getrandbits(SEED_BITS)
        for number, move in enumerate(moves):
            share, own, turn = found[number]
            more_share, more_own, more_turn = _outlook(game, state, observation.seat, move, Random(seed))
            found[number] = share + more_share, own + more_own, turn + more_turn
    return [(share / samples, own / samples, turn / samples) for share, own, turn in found]


def _outlook(game: AnyGame, state: State, seat: int, move: Move, random: Random) -> Outlook:
    phase = game.phase(state)
    asked = phase.seats if isinstance(phase, Turn) else ()
    following = game.after(state, seat, move)
    settle(game, following, tuple([other for other in asked if other != seat]), random)
    share, own = prospect(game, following, seat)
    reached = game.phase(following)
    return share, own, float(isinstance(reached, Turn) and seat in reached.seats)
