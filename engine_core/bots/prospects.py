"""Position values for bots: expected share of beaten opponents, 0 to 1, and play-outs to the next choice."""

from __future__ import annotations

from math import exp
from random import Random
from typing import Any

from engine_core.explore import below, step
from engine_core.game import Chance, Game, Over, Phase, State, Turn

AnyGame = Game[Any, Any, Any, Any]

LONGEST: float = 40.0
"""A lead of more swings than this is a certain win, so that `exp` does not overflow."""
SETTLING_MOST: int = 200
"""`settle` stops after this many moves."""


def prospects(game: AnyGame, state: State) -> list[float]:
    """For each seat the share of its opponents that it beats: by rank once the match is over, before that expected.

    A tie counts half. The expectation between two seats is a logistic function of the difference of their evaluations.
    """
    seats = game.seats(state)
    if isinstance(game.phase(state), Over):
        ranks = [standing.rank for standing in game.score(state).standings]
        return [_beaten(ranks, seat) / (seats - 1) for seat in range(seats)]
    values = [game.evaluate(state, seat) / game.swing for seat in range(seats)]
    return [_ahead(values, seat) / (seats - 1) for seat in range(seats)]


def prospect(game: AnyGame, state: State, seat: int) -> tuple[float, float]:
    """The value of `prospects` for one seat, and its own evaluation in swings (its points once the match is over)."""
    seats = game.seats(state)
    if isinstance(game.phase(state), Over):
        standings = game.score(state).standings
        return _beaten([standing.rank for standing in standings], seat) / (seats - 1), float(standings[seat].points)
    values = [game.evaluate(state, other) / game.swing for other in range(seats)]
    return _ahead(values, seat) / (seats - 1), values[seat]


def _beaten(ranks: list[int], seat: int) -> float:
    beaten = -0.5
    for rank in ranks:
        if rank > ranks[seat]:
            beaten += 1.0
        elif rank == ranks[seat]:
            beaten += 0.5
    return beaten


def _ahead(values: list[float], seat: int) -> float:
    ahead = -0.5
    for value in values:
        lead = values[seat] - value
        if lead > LONGEST:
            ahead += 1.0
        elif lead > -LONGEST:
            ahead += 1.0 / (1.0 + exp(-lead))
    return ahead


def is_absent(game: AnyGame, state: State, phase: Phase) -> bool:
    """Whether the seats to move are those of players who have left: their moves are random here, as nature's are."""
    return isinstance(phase, Turn) and game.has_left(state, phase.seats[0])


def settle(game: AnyGame, state: State, asked: tuple[int, ...], random: Random) -> None:
    """Play in place until a seat not in `asked` is to move: draws, absent seats and `asked` seats move at random."""
    for _ in range(SETTLING_MOST):
        phase = game.phase(state)
        if isinstance(phase, Chance) or is_absent(game, state, phase):
            step(game, state, random)
        elif isinstance(phase, Turn) and asked and _all_among(phase.seats, asked):
            seats = phase.seats
            seat = seats[0] if len(seats) == 1 else seats[below(len(seats), random.getrandbits)]
            moves = game.legal_moves(state, seat)
            game.apply(state, seat, moves[below(len(moves), random.getrandbits)])
            asked = tuple([other for other in asked if other != seat])
        else:
            return


def _all_among(seats: tuple[int, ...], asked: tuple[int, ...]) -> bool:
    return all(seat in asked for seat in seats)
