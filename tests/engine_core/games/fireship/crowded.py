"""Positions and move policies of Fireship that open many response windows."""

from __future__ import annotations

from random import Random

from engine_core.explore import random_below
from engine_core.game import Move
from engine_core.games.fireship.board import PLAIN, SPECIAL
from engine_core.games.fireship.moves import ChoosePawn, EndTurn, Sail, UseSquare
from engine_core.games.fireship.state import FireshipState
from tests.engine_core.games.fireship.positions import GAME, Position, new_position

FLEETS = {
    "green": "battleship e5, boat d5, boat h1 arrived, plane f6 arrived",
    "blue": "boat o1, plane l5, boat g5",
    "red": "2 boat e4, plane f5, boat k12",
    "yellow": "boat a15, boat d11",
    "white": "boat h5, boat l5, boat e8, boat h8, boat k8, boat d11, boat h11, boat k12",
}
HANDS = ["no no boum fog", "no plus_one", "no plus_one plus_one", "updraft no"]


def crowded_position(random: Random) -> Position:
    """Four seats with cards, badges and pawns close to each other, which opens response windows often."""
    active = random.randrange(4)
    position = new_position(
        FLEETS,
        seat_count=4,
        hands=random.sample(HANDS, 4),
        badges=["boum fog", "gulf_stream boum", "updraft boum", "boum"],
        islands={1: "red", 3: "blue 1", 7: "yellow"},
        anti_skull=random.random() < 0.5,
        active=active,
    )
    state = position.state
    for owner in range(4):
        if owner != active:  # only pawns of the active seat have marks
            state.pawns[owner][:] = [pawn - pawn % 4 for pawn in state.pawns[owner]]
    if random.random() < 0.3:
        state.deck, state.discards = state.discards, state.deck  # the next draw rebuilds the deck
        state.deck_at_most = 0
        for seat in state.seats:
            seat.deck_at_most = 0
    return position


def aggressive_choice(state: FireshipState, seat: int, random: Random) -> Move:
    """A random move that plays cards, uses squares or attacks more often than a uniform one."""
    moves = GAME.legal_moves(state, seat)
    dull = (ChoosePawn, Sail, EndTurn)
    lively = [move for move in moves if not isinstance(move, dull)]
    if lively and random.random() < 0.6:
        return lively[random_below(len(lively), random.getrandbits)]
    return moves[random_below(len(moves), random.getrandbits)]


def special_square_choice(state: FireshipState, seat: int, random: Random) -> Move:
    """A random move that reaches or uses a special square if there is one."""
    moves = GAME.legal_moves(state, seat)
    for wanted in ([move for move in moves if isinstance(move, UseSquare)], _ways_to_special_squares(moves)):
        if wanted:
            return wanted[random_below(len(wanted), random.getrandbits)]
    sailing = [move for move in moves if isinstance(move, (ChoosePawn, Sail))] or moves
    return sailing[random_below(len(sailing), random.getrandbits)]


def _ways_to_special_squares(moves: list[Move]) -> list[Move]:
    return [move for move in moves if isinstance(move, Sail) and SPECIAL[move.to] != PLAIN]
