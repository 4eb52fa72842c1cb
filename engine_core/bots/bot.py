"""The protocol that every bot implements."""

from __future__ import annotations

from random import Random
from typing import Any, Protocol

from engine_core.bots.observation import Observation
from engine_core.game import Move

AnyObservation = Observation[Any, Any, Any, Any]
"""An observation of any game."""


class Bot(Protocol):
    """Plays any game. A bot remembers nothing between two choices, so one object may play any number of seats.

    Any class with this method is one. It does not inherit: interpreted classes cannot, from compiled ones.
    """

    def choose(self, observation: AnyObservation, random: Random) -> Move:
        """A legal move of the seat, which must be to move.

        The same for equal observations and equal generators, unless the bot thinks by the clock.
        """
        ...
