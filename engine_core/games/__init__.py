"""The games that can be played: the one table of version of rules to game."""

from __future__ import annotations

from typing import Any, Final

from engine_core.errors import UnknownGame
from engine_core.game import Game
from engine_core.games.fire_bulls.rules import FireBulls
from engine_core.games.fireship.rules import Fireship
from engine_core.games.spring_festival.rules import SpringFestival

AnyGame = Game[Any, Any, Any, Any]
"""A game of the registry: its state, moves, options and views are known to itself alone."""


def rules_version(game: AnyGame) -> str:
    """The game with the version of its rules, for example `fire_bulls@1`."""
    return f"{game.name}@{game.version}"


VERSIONS: Final[dict[str, AnyGame]] = {
    rules_version(game): game for game in (FireBulls(), SpringFestival(), Fireship())
}
"""Every version of every game's rules, those of one game from the oldest to the newest."""

GAMES: Final[dict[str, AnyGame]] = {game.name: game for game in VERSIONS.values()}
"""By its name each game in its newest version, by which it is begun."""


def spelled(name: str) -> str:
    """The name of a game as the registry spells it, of one that is spelled as in a path: `fire-bulls`, `Fire_Bulls`."""
    return name.lower().replace("-", "_")


def game_named(name: str) -> AnyGame:
    """The game of that name in its newest version. Raises `UnknownGame`."""
    if name not in GAMES:
        raise UnknownGame(name)
    return GAMES[name]


def game_of(version: str) -> AnyGame:
    """The game in that version of its rules. Raises `UnknownGame`."""
    if version not in VERSIONS:
        raise UnknownGame(version)
    return VERSIONS[version]
