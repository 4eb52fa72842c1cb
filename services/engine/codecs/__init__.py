"""The codecs: the one table of game to messages."""

from __future__ import annotations

from typing import Any, Final

from engine_core.errors import UnknownGame
from services.engine.codec import Codec
from services.engine.codecs.fire_bulls import FireBullsCodec
from services.engine.codecs.fireship import FireshipCodec
from services.engine.codecs.spring_festival import SpringFestivalCodec

AnyCodec = Codec[Any, Any, Any, Any]
"""A codec of the table: its game's state, moves, options and views are known to itself alone."""

CODECS: Final[dict[str, AnyCodec]] = {
    codec.game.name: codec for codec in (FireBullsCodec(), SpringFestivalCodec(), FireshipCodec())
}


def codec_named(name: str) -> AnyCodec:
    """The codec of the game of that name. Raises `UnknownGame`."""
    if name not in CODECS:
        raise UnknownGame(name)
    return CODECS[name]
