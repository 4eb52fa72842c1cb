"""Codecs of the games, between rules and messages: one package for each game, with the game's name."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from engine_core.errors import UnknownGame
from engine_core.games import GAMES
from services.engine.codec import Codec

AnyCodec = Codec[Any, Any, Any, Any]
"""A codec of any game: only its own package knows its game's types of state, moves, options and views."""

CODECS_BY_VERSION: Final[dict[str, AnyCodec]] = {}
"""A codec for every version of every game's rules, those of one game from the oldest to the newest."""

CODECS: Final[dict[str, AnyCodec]] = {}
"""The codec of the newest version of every game by the game's name."""


def register(*codecs: AnyCodec) -> None:
    """Add codecs to the tables; those of one game from the oldest version of its rules to the newest."""
    for codec in codecs:
        CODECS_BY_VERSION[codec.rules_version] = CODECS[codec.game.name] = codec


def codec_named(name: str) -> AnyCodec:
    """The codec of the newest version of the game of that name. Raises `UnknownGame`."""
    if name not in CODECS:
        raise UnknownGame(name)
    return CODECS[name]


def codec_of_version(version: str) -> AnyCodec:
    """The codec of that version of a game's rules. Raises `UnknownGame`."""
    if version not in CODECS_BY_VERSION:
        raise UnknownGame(version)
    return CODECS_BY_VERSION[version]


for _name in GAMES:
    register(*import_module(f"{__name__}.{_name}").CODECS)
