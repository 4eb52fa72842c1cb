"""Registry of the games. The call of `register` at the end of this module is the one list of them."""

from __future__ import annotations

from typing import Any, Final

from engine_core.errors import UnknownGame
from engine_core.game import Game
from engine_core.games.fire_bulls.rules import FireBulls
from engine_core.games.fireship.rules import Fireship
from engine_core.games.spring_festival.rules import SpringFestival

AnyGame = Game[Any, Any, Any, Any]
"""A registered game, whose types of state, moves, options and views only its own package knows."""

GAMES_BY_VERSION: Final[dict[str, AnyGame]] = {}
"""Every version of every game's rules by its name, for example `fire_bulls@1`; those of one game from the oldest."""

GAMES: Final[dict[str, AnyGame]] = {}
"""The newest version of every game by the game's name. New matches are played by it."""


def rules_version(game: AnyGame) -> str:
    """Name and rules version of a game, for example `fire_bulls@1`."""
    return f"{game.name}@{game.version}"


def register(*games: AnyGame) -> None:
    """Add games to the registry; versions of one game in ascending order."""
    for game in games:
        GAMES_BY_VERSION[rules_version(game)] = GAMES[game.name] = game


def canonical_name(name: str) -> str:
    """The registered spelling, `fire_bulls`, of a name written as in a path: `fire-bulls`, `Fire_Bulls`."""
    return name.lower().replace("-", "_")


def game_named(name: str) -> AnyGame:
    """The game of that name in its newest version. Raises `UnknownGame`."""
    if name not in GAMES:
        raise UnknownGame(name)
    return GAMES[name]


def game_of_version(version: str) -> AnyGame:
    """The game in that version of its rules. Raises `UnknownGame`."""
    if version not in GAMES_BY_VERSION:
        raise UnknownGame(version)
    return GAMES_BY_VERSION[version]


# Codecs (`services/engine/codecs/<name>`), boards (`cli/boards/<name>.py`) and services (`fireside.<name>.v1`) are
# found by the name of the game.
register(FireBulls(), SpringFestival(), Fireship())
