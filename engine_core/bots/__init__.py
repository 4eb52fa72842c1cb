"""Players written once for all games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine_core.bots.bot import Bot
from engine_core.bots.greedy import GreedyBot
from engine_core.bots.random import RandomBot
from engine_core.errors import GameError

BOTS: Final[dict[str, Callable[[], Bot]]] = {"random": RandomBot, "greedy": GreedyBot}
"""The bots by name."""


def bot_named(name: str) -> Bot:
    """The bot of that name. Raises `GameError`."""
    if name not in BOTS:
        raise GameError(f"there is no bot {name!r}")
    return BOTS[name]()
