"""The contract of a bot."""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random
from typing import Any

from engine_core.bots.observation import Observation


class Bot(ABC):
    """Chooses moves for a seat; holds nothing between two choices."""

    @abstractmethod
    def choose(self, observation: Observation[Any, Any, Any, Any], random: Random) -> Any:
        """A legal move; the same for an equal observation and equal randoms."""
