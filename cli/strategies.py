"""Players that look at nothing but their legal moves, which a client plays through their own tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

Strategy = Callable[[Sequence[str], Random], str]

STRATEGIES: Final[dict[str, Strategy]] = {
    "random": lambda moves, random: random.choice(moves),
    "first": lambda moves, random: moves[0],
    "eager": lambda moves, random: max(moves, key=len),
}
"""By name; the eager one likes moves with much to say."""

NAMES: Final = ("Ada", "Ben", "Cleo", "Dev", "Eve")
"""What they are called, by seat."""


def player_name(seat: int, strategy: str) -> str:
    """What a seat that is played by a strategy is called."""
    return f"{NAMES[seat % len(NAMES)]} ({strategy})"
