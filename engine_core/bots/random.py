"""Random bot: chooses uniformly among its legal moves."""

from __future__ import annotations

from random import Random

from engine_core.bots.bot import AnyObservation
from engine_core.explore import random_below
from engine_core.game import Move


class RandomBot:
    """Chooses each legal move with the same probability."""

    def choose(self, observation: AnyObservation, random: Random) -> Move:
        """A legal move, each with the same probability."""
        moves = observation.legal_moves()
        move: Move = moves[random_below(len(moves), random.getrandbits)]
        return move
