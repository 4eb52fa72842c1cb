"""Strategies of client-side bots: functions that choose from the notations of the legal moves alone."""

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
"""Strategies by name; `eager` prefers moves with a long notation."""

BOT_NAMES: Final = ("Ada", "Ben", "Cleo", "Dev", "Eve")
"""Names of bots by seat."""


def player_name(seat: int, strategy: str) -> str:
    """The display name of a bot: a name by seat, and its strategy."""
    return f"{BOT_NAMES[seat % len(BOT_NAMES)]} ({strategy})"
