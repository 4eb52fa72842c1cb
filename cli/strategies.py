"""Strategies of the client's own bots, which look at nothing but the legal moves."""

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
"""By name; `eager` prefers moves with a long notation."""

NAMES: Final = ("Ada", "Ben", "Cleo", "Dev", "Eve")
"""Names of players, by seat."""


def player_name(seat: int, strategy: str) -> str:
    """The name of a seat that is played by a strategy."""
    return f"{NAMES[seat % len(NAMES)]} ({strategy})"
