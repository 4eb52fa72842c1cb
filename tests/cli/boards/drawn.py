"""A match as a terminal without colours shows it to an observer."""

from __future__ import annotations

from io import StringIO
from typing import Any, cast

from google.protobuf.json_format import MessageToDict
from google.protobuf.message_factory import GetMessageClass
from rich.console import Console, RenderableType

from cli.boards import board_of
from engine_core.match import AnyMatch
from services.engine.codecs import CODECS
from services.engine.responses import INLINE, Responses, repeated_field


def board_text(match: AnyMatch, observer: int) -> str:
    """The board of a match."""
    return _text(board_of(match.game.name).draw(_as_json(match, observer)))


def legend_text(match: AnyMatch, observer: int) -> str:
    """The legend of the board of a match."""
    return _text(board_of(match.game.name).legend(_as_json(match, observer)))


def _text(shown: RenderableType) -> str:
    console = Console(file=StringIO(), width=160)
    console.print(shown)
    return cast(StringIO, console.file).getvalue()


def _as_json(match: AnyMatch, observer: int) -> dict[str, object]:
    codec = CODECS[match.game.name]
    response: Any = GetMessageClass(codec.service.methods_by_name["GetMatch"].output_type)()
    response.MergeFromString(repeated_field([Responses(codec).match(match, observer, INLINE)]))
    return MessageToDict(response.match)
