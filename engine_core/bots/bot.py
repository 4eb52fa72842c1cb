"""`Bot`: the protocol (interface) that every bot implements."""

from __future__ import annotations

from random import Random
from typing import Any, Protocol

from engine_core.bots.observation import Observation
from engine_core.game import Move

AnyObservation = Observation[Any, Any, Any, Any]
"""An observation of any game."""


class Bot(Protocol):
    """A player of any game. A bot is stateless between choices, so one object may play any number of seats.

    Any class with this method is a bot. It need not inherit: interpreted classes cannot inherit from compiled ones.
    """

    def choose(self, observation: AnyObservation, random: Random) -> Move:
        """A legal move of the seat, which must be to move.

        Deterministic for equal observations and generators, unless the bot has a time limit.
        """
        ...
