"""Terminal boards of games, one optional module each: a function `draw`, and perhaps `DEMO_OPTIONS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

from rich.console import RenderableType
from rich.json import JSON

from cli.translation import locale
from engine_core.games import game_named
from engine_core.words import Words


@dataclass(frozen=True)
class Board:
    """How to display a game: `draw` takes a match in JSON from REST; `demo_options` are the options of the demo."""

    draw: Callable[[dict[str, object]], RenderableType]
    demo_options: tuple[dict[str, object], ...] = ({},)


def board_of(game: str) -> Board:
    """The board of a game; if it has no module here, one that prints the view as JSON."""
    name = f"{__name__}.{game}"
    if not (game.isidentifier() and find_spec(name)):
        return Board(_as_json)
    module = import_module(name)
    return Board(module.draw, getattr(module, "DEMO_OPTIONS", Board.demo_options))


def words_of(game: str) -> Words:
    """The texts of a game in the language of this process."""
    return game_named(game).words(locale())


def _as_json(match: dict[str, object]) -> RenderableType:
    return JSON.from_data(match["view"])
