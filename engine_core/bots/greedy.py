"""Greedy bot: one-move lookahead over sampled full states."""

from __future__ import annotations

from random import Random
from typing import Final

from engine_core.bots.bot import AnyObservation
from engine_core.bots.prospects import AnyGame, prospect, settle
from engine_core.explore import below
from engine_core.game import Move, State, Turn

SEED_BITS: Final = 62


Outlook = tuple[float, float, float]
"""Value of a move: the seat's prospects after it, its own evaluation, and whether it is still to move (0 to 1)."""


class GreedyBot:
    """Tries each legal move on the same few determinized states, and takes the one with the best average outlook.

    Nature's draws and the simultaneous choices of other seats are random, with the same random numbers for every move.
    Among moves with equal prospects it prefers the higher own evaluation, so that it still plays well when the match is
    as good as won or lost; then a move after which it is to move again. Remaining ties are broken at random.
    """

    def __init__(self, samples: int = 4) -> None:
        self.samples: Final = samples

    def choose(self, observation: AnyObservation, random: Random) -> Move:
        """The move with the best outlook; ties are broken at random."""
        moves: list[Move] = observation.legal_moves()
        if len(moves) == 1:
            return moves[0]
        return best_of(moves, outlooks(observation, moves, self.samples, random), random)


def best_of(moves: list[Move], found: list[Outlook], random: Random) -> Move:
    """The move with the best outlook; ties are broken at random."""
    best = max(found)
    equals = [move for move, outlook in zip(moves, found, strict=True) if outlook == best]
    return equals[below(len(equals), random.getrandbits)]


def outlooks(observation: AnyObservation, moves: list[Move], samples: int, random: Random) -> list[Outlook]:
    """The outlook of each move for the seat, averaged over `samples` full states."""
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
