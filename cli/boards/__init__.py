"""Boards of games in a terminal: `<game>.py` draws a view with `draw`, and may have `DEMO_OPTIONS`. Optional."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

from rich.console import RenderableType
from rich.json import JSON


@dataclass(frozen=True)
class Board:
    """How a game is shown: `draw` takes a match as the REST interface gives it; `demo_options` are worth seeing."""

    draw: Callable[[dict[str, object]], RenderableType]
    demo_options: tuple[dict[str, object], ...] = ({},)


def board_of(game: str) -> Board:
    """The board of a game; its view as JSON where it has none."""
    name = f"{__name__}.{game}"
    if not (game.isidentifier() and find_spec(name)):
        return Board(_as_json)
    module = import_module(name)
    return Board(module.draw, getattr(module, "DEMO_OPTIONS", Board.demo_options))


def _as_json(match: dict[str, object]) -> RenderableType:
    return JSON.from_data(match["view"])
