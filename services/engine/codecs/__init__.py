"""The codecs: the one table of version of rules to messages."""

from __future__ import annotations

from typing import Any, Final

from engine_core.errors import UnknownGame
from services.engine.codec import Codec
from services.engine.codecs.fire_bulls import FireBullsCodec
from services.engine.codecs.fireship import FireshipCodec
from services.engine.codecs.spring_festival import SpringFestivalCodec

AnyCodec = Codec[Any, Any, Any, Any]
"""A codec of the table: its game's state, moves, options and views are known to itself alone."""

VERSIONS: Final[dict[str, AnyCodec]] = {
    codec.rules_version: codec for codec in (FireBullsCodec(), SpringFestivalCodec(), FireshipCodec())
}
"""A codec for every version of every game's rules, those of one game from the oldest to the newest."""

CODECS: Final[dict[str, AnyCodec]] = {codec.game.name: codec for codec in VERSIONS.values()}
"""By the name of its game the codec of the newest version."""


def codec_named(name: str) -> AnyCodec:
    """The codec of the newest version of the game of that name. Raises `UnknownGame`."""
    if name not in CODECS:
        raise UnknownGame(name)
    return CODECS[name]


def codec_of(version: str) -> AnyCodec:
    """The codec of that version of a game's rules. Raises `UnknownGame`."""
    if version not in VERSIONS:
        raise UnknownGame(version)
    return VERSIONS[version]
