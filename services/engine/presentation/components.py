"""Responses of `GetComponents`: the components of a game, its presets, bots and names, in each language."""

from __future__ import annotations

import re
from typing import Any, Final

from fireside.match.v1 import match_pb2
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from engine_core.bots import BOTS, Limits
from engine_core.words import LOCALES, Words
from services.engine.codec import Codec
from services.engine.presentation.localization import LocaleRequest, Localization

NOT_SHOWN: Final = ("number", "list", "player", "thing", "picture")
"""Kinds of names that only sentences and pictures need."""


class ComponentsCalls:
    """Serves `GetComponents` of one game; it never changes, so each language's response is built once."""

    def __init__(self, codec: Codec[Any, Any, Any, Any], localization: Localization, bot_limits: Limits) -> None:
        self._codec: Final = codec
        self._localization: Final = localization
        self._limits: Final = bot_limits
        self._responses: Final[dict[str, bytes]] = {}

    def get_components(self, request: LocaleRequest) -> bytes:
        """The components, with names in the language of the request, or the first one."""
        words = self._localization.requested_words(request.locale or LOCALES[0])
        assert words is not None
        response = self._responses.get(words.locale)
        if response is None:
            built = self._response(words)
            response = self._responses[words.locale] = built.SerializeToString(deterministic=True)
        return response

    def _response(self, words: Words) -> Message:
        codec, game = self._codec, self._codec.game
        kind = codec.service.methods_by_name["GetComponents"].output_type
        preset = GetMessageClass(kind.fields_by_name["presets"].message_type)  # type: ignore[arg-type]
        return GetMessageClass(kind)(
            game=game.name,
            rules_version=codec.rules_version,
            locale=words.locale,
            title=words.title,
            summary=words.summary,
            min_seats=game.min_seats,
            max_seats=game.max_seats,
            components=codec.encode_components(),
            presets=[
                preset(name=name, options=codec.encode_options(options)) for name, options in game.presets().items()
            ],
            bots=[self._bot(name) for name in BOTS],
            names=self._names(words),
        )

    def _bot(self, name: str) -> match_pb2.BotKind:
        options = [
            match_pb2.BotOption(
                name=option.name,
                minimum=option.minimum,
                maximum=option.maximum(self._limits),
                default_value=option.default,
                whole=option.is_whole,
            )
            for option in BOTS[name].options
        ]
        return match_pb2.BotKind(name=name, options=options)

    def _names(self, words: Words) -> dict[str, str]:
        """All names by enum value, as in JSON, or by kind and word."""
        enums = {
            enum_kind(enum.name): enum for enum in self._codec.messages.move.DESCRIPTOR.file.enum_types_by_name.values()
        }
        names = {}
        for kind, table in words.names.items():
            if kind in NOT_SHOWN or "." in kind:
                continue
            for word, name in table.items():
                if kind not in enums:
                    names[f"{kind}.{word}"] = name
                elif f"{kind}_{word}".upper() in enums[kind].values_by_name:
                    names[f"{kind}_{word}".upper()] = name
        return names


def enum_kind(enum: str) -> str:
    """The kind of names for an enum: `point_card` for `PointCard`, whose values begin with `POINT_CARD_`."""
    return re.sub(r"(?<=.)(?=[A-Z])", "_", enum).lower()
