"""Parses game options from the command line: `profile=PROFILE_IT`, `rounds=10`, `colours=COLOUR_RED,COLOUR_BLUE`."""

from __future__ import annotations

import json
from collections.abc import Iterable

from cli.translation import gettext
from fireside_client.types.any_game import Game, Option


def parse(texts: Iterable[str], game: Game) -> dict[str, object]:
    """Parse texts `name=value` into options as JSON values. Raises `ValueError` for one that the game does not have."""
    known = {option["name"]: option for option in game["options"]}
    options: dict[str, object] = {}
    for given in texts:
        name, equals, text = given.partition("=")
        if not equals or name not in known:
            expected = gettext("expected NAME=VALUE with one of the names {names}", names=", ".join(known))
            raise ValueError(f"--option {given}: {expected}")
        options[name] = _values(known[name], text)
    return options


def _values(option: Option, text: str) -> object:
    if option["type"].endswith("[]") and not text.startswith("["):
        return [_value(part) for part in text.split(",")]
    return _value(text)


def _value(text: str) -> object:
    """A text parsed as JSON; as a string if it is not JSON."""
    try:
        value: object = json.loads(text)
    except ValueError:
        return text
    return value
