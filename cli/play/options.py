"""Options of a game as words of a command: `profile=PROFILE_IT`, `rounds=10`, `colours=COLOUR_RED,COLOUR_BLUE`."""

from __future__ import annotations

import json
from collections.abc import Iterable

from cli.rest_client import Game, Option


def parse(words: Iterable[str], game: Game) -> dict[str, object]:
    """The options that the words name. Raises `ValueError` for one that the game does not have."""
    known = {option["name"]: option for option in game["options"]}
    options: dict[str, object] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals or name not in known:
            raise ValueError(f"--option {word}: expected NAME=VALUE with one of the names {', '.join(known)}")
        options[name] = _values(known[name], text)
    return options


def _values(option: Option, text: str) -> object:
    if option["type"].endswith("[]") and not text.startswith("["):
        return [_value(part) for part in text.split(",")]
    return _value(text)


def _value(text: str) -> object:
    """Numbers, truths and lists as JSON has them; everything else is a word."""
    try:
        value: object = json.loads(text)
    except ValueError:
        return text
    return value
