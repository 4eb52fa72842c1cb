"""Options of a match as JSON text, by the names of the attributes of the game's options."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from engine_core.encodings import Encoding, encoding_of
from engine_core.errors import InvalidOption
from engine_core.game import Game, Options, attribute_names
from engine_core.games import game_of_version


def format_options(options: Options) -> str:
    """All options of a match; equal options have equal texts."""
    return json.dumps({name: getattr(options, name) for name in attribute_names(options)}, separators=(",", ":"))


def parse_options(game: Game[Any, Any, Any, Any], text: str) -> Options:
    """The options that `format_options` wrote. Raises `InvalidOption` for a text that has no options of the game.

    Their values are not checked; `Game.start` does so.
    """
    kind: Any = type(next(iter(game.presets().values())))
    names = attribute_names(kind())
    try:
        fields = json.loads(text)
    except ValueError:
        fields = None
    if not isinstance(fields, dict) or fields.keys() != set(names):
        raise InvalidOption("options", f"no options of {game.name}: {text[:100]!r}")
    options: Options = kind(*[_value(fields[name]) for name in names])
    return options


@lru_cache(maxsize=64)
def encoding_of_version(rules_version: str, seat_count: int, options: str) -> Encoding:
    """The encoding of a version of a game, with the text of its options.

    Raises what `game_of_version`, `parse_options` and `encoding_of` raise.
    """
    game = game_of_version(rules_version)
    return encoding_of(game, seat_count, parse_options(game, options))


def _value(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
