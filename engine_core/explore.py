"""Exploration of a game tree: random play-outs, and counts of move sequences (perft)."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeVar

from engine_core.game import NATURE, Game, Move, Options, Over, State, Turn, View

S = TypeVar("S", bound=State)
M = TypeVar("M", bound=Move)
O = TypeVar("O", bound=Options)  # noqa: E741
V = TypeVar("V", bound=View)


def random_below(bound: int, getrandbits: Callable[[int], int]) -> int:
    """A number from 0 to bound - 1 without bias; `getrandbits` is the method of a generator.

    Raises `ValueError` for a bound below 1.
    """
    if bound <= 1:
        if bound < 1:
            raise ValueError(f"no number lies below {bound}")
        return 0
    width = (bound - 1).bit_length()
    number = getrandbits(width)
    while number >= bound:
        number = getrandbits(width)
    return number


def weighted_index(weights: list[int], getrandbits: Callable[[int], int]) -> int:
    """A random index, with a probability in proportion to its weight (0 or more). Raises `ValueError` if all are 0."""
    total = 0
    for weight in weights:  # compiled, this is faster than `sum`
        total += weight
    ticket = random_below(total, getrandbits)
    choice = 0
    for weight in weights:
        ticket -= weight
        if ticket < 0:
            break
        choice += 1
    return choice


def draw(game: Game[S, M, O, V], state: S, getrandbits: Callable[[int], int]) -> None:
    """Make a random move of nature in place, by the weights. The phase must be `Chance`."""
    outcomes = game.legal_moves(state, NATURE)
    choice = 0 if len(outcomes) == 1 else weighted_index(game.weights(state), getrandbits)
    game.apply(state, NATURE, outcomes[choice])


def random_step(game: Game[S, M, O, V], state: S, random: Random) -> bool:
    """Make one random move in place: nature's by its weights, a seat's uniformly. False if the match is over."""
    return _random_step(game, state, random.getrandbits)


def _random_step(game: Game[S, M, O, V], state: S, getrandbits: Callable[[int], int]) -> bool:
    phase = game.phase(state)
    if isinstance(phase, Over):
        return False
    if isinstance(phase, Turn):
        seats = phase.seats
        seat = seats[0] if len(seats) == 1 else seats[random_below(len(seats), getrandbits)]
        moves = game.legal_moves(state, seat)
        game.apply(state, seat, moves[random_below(len(moves), getrandbits)])
    else:
        draw(game, state, getrandbits)
    return True


def playout(game: Game[S, M, O, V], state: S, random: Random, limit: int = 1_000_000) -> int:
    """Play at random, in place, to the end. Returns the number of moves made, nature's included.

    Raises `RuntimeError` if it is not over after `limit` moves: every game must end.
    """
    if limit < 0:
        raise ValueError(f"a play-out of {limit} moves")
    getrandbits = random.getrandbits
    for moves in range(limit):
        if not _random_step(game, state, getrandbits):
            return moves
    if isinstance(game.phase(state), Over):
        return limit
    raise RuntimeError(f"{game.name} was not over after {limit} moves")


def perft(game: Game[S, M, O, V], state: S, depth: int) -> int:
    """Number of move sequences of `depth` moves from a state, nature's outcomes counted as moves, shorter ends too.

    Raises `ValueError` for a depth below 0.
    """
    if depth <= 0:
        if depth < 0:
            raise ValueError(f"no sequence has {depth} moves")
        return 1
    phase = game.phase(state)
    if isinstance(phase, Over):
        return 1
    seats = phase.seats if isinstance(phase, Turn) else (NATURE,)
    total = 0
    for seat in seats:
        for move in game.legal_moves(state, seat):
            total += perft(game, game.next_state(state, seat, move), depth - 1)
    return total
