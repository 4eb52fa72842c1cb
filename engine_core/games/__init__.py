"""The games that can be played: the one table of name to game."""

from __future__ import annotations

from typing import Any, Final

from engine_core.errors import UnknownGame
from engine_core.game import Game
from engine_core.games.fire_bulls.rules import FireBulls
from engine_core.games.fireship.rules import Fireship
from engine_core.games.spring_festival.rules import SpringFestival

AnyGame = Game[Any, Any, Any, Any]
"""A game of the registry: its state, moves, options and views are known to itself alone."""

GAMES: Final[dict[str, AnyGame]] = {game.name: game for game in (FireBulls(), SpringFestival(), Fireship())}


def game_named(name: str) -> AnyGame:
    """The game of that name. Raises `UnknownGame`."""
    if name not in GAMES:
        raise UnknownGame(name)
    return GAMES[name]
