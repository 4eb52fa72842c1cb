"""Terminal boards of games, one optional module each: functions `draw` and `legend`, and perhaps `DEMO_OPTIONS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec

from rich.console import RenderableType
from rich.json import JSON

from cli.translation import gettext, locale
from engine_core.games import game_named
from engine_core.words import Words


@dataclass(frozen=True)
class Board:
    """How to display a game, of which both functions take a match in JSON from REST."""

    draw: Callable[[dict[str, object]], RenderableType]
    """The position."""
    legend: Callable[[dict[str, object]], RenderableType]
    """What the letters and marks of the position mean, and what a player must know of the pieces."""
    demo_options: dict[str, object] = field(default_factory=dict)
    """Options of the match of the demo."""


def board_of(game: str) -> Board:
    """The board of a game; if it has no module here, one that prints the view as JSON."""
    name = f"{__name__}.{game}"
    if not (game.isidentifier() and find_spec(name)):
        return Board(_as_json, _no_legend)
    module = import_module(name)
    return Board(module.draw, module.legend, getattr(module, "DEMO_OPTIONS", {}))


def words_of(game: str) -> Words:
    """The texts of a game in the language of this process."""
    return game_named(game).words(locale())


def _as_json(match: dict[str, object]) -> RenderableType:
    return JSON.from_data(match["view"])


def _no_legend(match: dict[str, object]) -> RenderableType:
    return gettext("This game has no legend: its position is shown in JSON.")
