"""Position values for bots: expected share of beaten opponents, 0 to 1, and play-outs to the next choice."""

from __future__ import annotations

from math import exp
from random import Random
from typing import Any

from engine_core.explore import random_below, random_step
from engine_core.game import Chance, Game, Over, Phase, State, Turn

AnyGame = Game[Any, Any, Any, Any]

CERTAIN_LEAD: float = 40.0
"""A lead of more than this many `evaluation_scale`s is a certain win, so that `exp` does not overflow."""
MAX_SETTLING_MOVES: int = 200
"""`play_to_next_choice` stops after this many moves."""


def position_values(game: AnyGame, state: State) -> list[float]:
    """For each seat the share of its opponents that it beats: by rank once the match is over, before that expected.

    A tie counts half. The expectation between two seats is a logistic function of the difference of their evaluations.
    """
    seat_count = game.seat_count(state)
    if isinstance(game.phase(state), Over):
        ranks = [standing.rank for standing in game.score(state).standings]
        return [_beaten_opponents(ranks, seat) / (seat_count - 1) for seat in range(seat_count)]
    values = [game.evaluate(state, seat) / game.evaluation_scale for seat in range(seat_count)]
    return [_expected_beaten(values, seat) / (seat_count - 1) for seat in range(seat_count)]


def position_value(game: AnyGame, state: State, seat: int) -> tuple[float, float]:
    """The value of one seat, and its own evaluation over `evaluation_scale` (its points once the match is over)."""
    seat_count = game.seat_count(state)
    if isinstance(game.phase(state), Over):
        standings = game.score(state).standings
        return _beaten_opponents([standing.rank for standing in standings], seat) / (seat_count - 1), float(
            standings[seat].points
        )
    values = [game.evaluate(state, other) / game.evaluation_scale for other in range(seat_count)]
    return _expected_beaten(values, seat) / (seat_count - 1), values[seat]


def _beaten_opponents(ranks: list[int], seat: int) -> float:
    beaten = -0.5
    for rank in ranks:
        if rank > ranks[seat]:
            beaten += 1.0
        elif rank == ranks[seat]:
            beaten += 0.5
    return beaten


def _expected_beaten(values: list[float], seat: int) -> float:
    ahead = -0.5
    for value in values:
        lead = values[seat] - value
        if lead > CERTAIN_LEAD:
            ahead += 1.0
        elif lead > -CERTAIN_LEAD:
            ahead += 1.0 / (1.0 + exp(-lead))
    return ahead


def are_absent_seats_to_move(game: AnyGame, state: State, phase: Phase) -> bool:
    """Whether the seats to move are those of players who have left: their moves are random here, as nature's are."""
    return isinstance(phase, Turn) and game.has_left(state, phase.seats[0])


def play_to_next_choice(game: AnyGame, state: State, movers: tuple[int, ...], random: Random) -> None:
    """Play in place until a seat not in `movers` is to move: draws, absent seats and `movers` move at random."""
    for _ in range(MAX_SETTLING_MOVES):
        phase = game.phase(state)
        if isinstance(phase, Chance) or are_absent_seats_to_move(game, state, phase):
            random_step(game, state, random)
        elif isinstance(phase, Turn) and movers and _is_subset(phase.seats, movers):
            seats = phase.seats
            seat = seats[0] if len(seats) == 1 else seats[random_below(len(seats), random.getrandbits)]
            moves = game.legal_moves(state, seat)
            game.apply(state, seat, moves[random_below(len(moves), random.getrandbits)])
            movers = tuple([other for other in movers if other != seat])
        else:
            return


def _is_subset(seats: tuple[int, ...], movers: tuple[int, ...]) -> bool:
    return all(seat in movers for seat in seats)
