"""The games that can be played. `register` at the end of this module is the one table of them."""

from __future__ import annotations

from typing import Any, Final

from engine_core.errors import UnknownGame
from engine_core.game import Game
from engine_core.games.fire_bulls.rules import FireBulls
from engine_core.games.fireship.rules import Fireship
from engine_core.games.spring_festival.rules import SpringFestival

AnyGame = Game[Any, Any, Any, Any]
"""A game of the table: only its own package knows its types of state, moves, options and views."""

VERSIONS: Final[dict[str, AnyGame]] = {}
"""Every version of every game's rules by its name, for example `fire_bulls@1`; those of one game from the oldest."""

GAMES: Final[dict[str, AnyGame]] = {}
"""The newest version of every game by the game's name. New matches are played by it."""


def rules_version(game: AnyGame) -> str:
    """The game with the version of its rules, for example `fire_bulls@1`."""
    return f"{game.name}@{game.version}"


def register(*games: AnyGame) -> None:
    """Add games to the table; the versions of one game from the oldest to the newest."""
    for game in games:
        VERSIONS[rules_version(game)] = GAMES[game.name] = game


def spelled(name: str) -> str:
    """The name of a game as the table spells it, of one that is spelled as in a path: `fire-bulls`, `Fire_Bulls`."""
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


# Codecs (`services/engine/codecs/<name>`), boards (`cli/boards/<name>.py`) and services (`fireside.<name>.v1`) are
# found by the name of the game.
register(FireBulls(), SpringFestival(), Fireship())
