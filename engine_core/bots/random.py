"""The bot that chooses uniformly among its legal moves."""

from __future__ import annotations

from random import Random
from typing import TypeVar

from engine_core.explore import below
from engine_core.game import Game, Move, Options, State, View

S = TypeVar("S", bound=State)
M = TypeVar("M", bound=Move)
O = TypeVar("O", bound=Options)  # noqa: E741
V = TypeVar("V", bound=View)


def choose(game: Game[S, M, O, V], state: S, seat: int, random: Random) -> M:
    """A legal move of `seat`, each with the same chance. The seat must be to move."""
    moves = game.legal_moves(state, seat)
    return moves[below(len(moves), random.getrandbits)]
