"""Pictures of positions as SVG documents, drawn from a view alone: what an observer may not know is in no picture.

A game has pictures if its package has a module `picture` with two functions:

- `draw(view, setting)` is the whole document. Equal views and settings give equal documents.
- `parts(move)` are the ids of the elements that a person clicks to choose a legal move, in the order of clicks. A move
  that takes two of the same thing names it twice. Every picture of a position in which the move is legal, seen by the
  seat that may make it, has these elements. Moves with equal parts are told apart by their sentences.

A part may lie inside another, as a pawn in its square: a click is for the innermost one that can be next. Parts that
can be next at the same time never lie inside each other, if the parts of each move are clicked in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from engine_core.pictures.themes import LIGHT, Theme
from engine_core.words import Words, package_of, words_of

PART_ID: Final = r"[a-z][a-z0-9-]*"
"""Regular expression of the id of a part, such as `line-3` or `square-h7`."""


class Setting:
    """What a picture depends on besides the view."""

    def __init__(self, words: Words, theme: Theme = LIGHT, names: Sequence[str] = ()) -> None:
        self.words: Final = words
        """The texts of the game in the language of the picture."""
        self.theme: Final = theme
        self.names: Final = names
        """Names of the players by seat; empty if they are not known."""

    def name(self, seat: int) -> str:
        """The name of a player; `Seat 1` and so on where it is not known or empty."""
        known = self.names[seat] if seat < len(self.names) else ""
        return known or self.words.sentence("picture.seat", str(seat + 1))


class Pictures:
    """The pictures of one game."""

    def __init__(self, draw: Callable[[Any, Setting], str], parts: Callable[[Any], tuple[str, ...]]) -> None:
        self.draw: Final = draw
        """A view as an SVG document."""
        self.parts: Final = parts
        """Ids of the elements that a person clicks to choose a move."""


@cache
def pictures_of(package: str) -> Pictures | None:
    """The pictures of the game whose rules are in a package; None if it has none."""
    name = f"{package}.picture"
    if find_spec(name) is None:
        return None
    module = import_module(name)
    return Pictures(module.draw, module.parts)


def notebook_picture(view: object) -> str | None:
    """A view as a notebook shows it: light, in English, with numbers for the players."""
    package = package_of(view)
    pictures = pictures_of(package)
    return pictures.draw(view, Setting(words_of(package, "en"))) if pictures else None
