"""Greedy bot: one-move lookahead over sampled full states."""

from __future__ import annotations

from random import Random
from typing import Final

from engine_core.bots.bot import AnyObservation, EvaluatedMove, Steps, run
from engine_core.bots.position_values import AnyGame, play_to_next_choice, position_value
from engine_core.explore import random_below
from engine_core.game import Move, State, Turn

SEED_BITS: Final = 62


MoveValue = tuple[float, float, float]
"""Value of a move: expected share of beaten opponents, own evaluation, whether the seat is to move again (0 or 1)."""


class GreedyBot:
    """Tries each legal move on the same few determinized states, and takes the one with the best average value.

    Nature's draws and the simultaneous choices of other seats are random, with the same random numbers for every move.
    Among moves with equal shares it prefers the higher own evaluation, so that it still plays well when the match is
    as good as won or lost; then a move after which it is to move again. Remaining ties are broken at random.
    """

    def __init__(self, samples: int = 4) -> None:
        self.samples: Final = samples

    def choose(self, observation: AnyObservation, random: Random) -> Move:
        """The move with the best value; ties are broken at random."""
        moves: list[Move] = observation.legal_moves()
        if len(moves) == 1:
            return moves[0]
        return best_move(moves, run(move_values(observation, moves, self.samples, random)), random)

    def evaluate(self, observation: AnyObservation, random: Random) -> Steps[list[EvaluatedMove]]:
        """Every legal move with its mean share over the samples."""
        moves: list[Move] = observation.legal_moves()
        values = yield from move_values(observation, moves, self.samples, random)
        best = best_move(moves, values, random)
        return [
            EvaluatedMove(move, share, self.samples, move == best)
            for move, (share, _, _) in zip(moves, values, strict=True)
        ]


def best_move(moves: list[Move], values: list[MoveValue], random: Random) -> Move:
    """The move with the best value; ties are broken at random."""
    best = max(values)
    best_moves = [move for move, value in zip(moves, values, strict=True) if value == best]
    return best_moves[random_below(len(best_moves), random.getrandbits)]


def move_values(observation: AnyObservation, moves: list[Move], samples: int, random: Random) -> Steps[list[MoveValue]]:
    """The value of each move for the seat, averaged over `samples` full states; a step is one move on one state."""
    game: AnyGame = observation.game
    values = [(0.0, 0.0, 0.0)] * len(moves)
    for _ in range(samples):
        state = observation.determinize(random)
        seed = random.getrandbits(SEED_BITS)
        for number, move in enumerate(moves):
            share, own, turn = values[number]
            more_share, more_own, more_turn = _evaluate_move(game, state, observation.seat, move, Random(seed))
            values[number] = share + more_share, own + more_own, turn + more_turn
            yield
    return [(share / samples, own / samples, turn / samples) for share, own, turn in values]


def _evaluate_move(game: AnyGame, state: State, seat: int, move: Move, random: Random) -> MoveValue:
    phase = game.phase(state)
    to_move = phase.seats if isinstance(phase, Turn) else ()
    next_state = game.next_state(state, seat, move)
    play_to_next_choice(game, next_state, tuple([other for other in to_move if other != seat]), random)
    share, own = position_value(game, next_state, seat)
    next_phase = game.phase(next_state)
    return share, own, float(isinstance(next_phase, Turn) and seat in next_phase.seats)
