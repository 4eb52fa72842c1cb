"""The bot that chooses uniformly among its legal moves."""

from __future__ import annotations

from random import Random
from typing import Any, TypeVar

from engine_core.bots.bot import Bot
from engine_core.bots.observation import Observation
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


class RandomBot(Bot):
    """Chooses uniformly among the legal moves."""

    def choose(self, observation: Observation[Any, Any, Any, Any], random: Random) -> Any:
        moves = observation.legal_moves()
        return moves[below(len(moves), random.getrandbits)]
