"""A picture of Fireship that is being drawn: its view and colours, emblems of owners, and icons with counts."""

from __future__ import annotations

from typing import Final

from engine_core.games.fireship.drawing.facts import situation
from engine_core.games.fireship.drawing.glyphs import emblem, icon
from engine_core.games.fireship.drawing.palette import palette_of
from engine_core.games.fireship.view import FireshipView
from engine_core.pictures import Setting
from engine_core.pictures.sheet import TEXT, WIDTH, Sheet

EDGE: Final = 14
"""Free space around the picture."""
INNER: Final = WIDTH - 2 * EDGE
GAP: Final = 10
LARGE: Final = 24


class FireshipSheet(Sheet):
    """A picture with its view and the colours of the sea. Coordinates are whole numbers."""

    def __init__(self, view: FireshipView, setting: Setting, height: int) -> None:
        super().__init__(setting, height, situation(view, setting))
        self.view: Final = view
        self.palette: Final = palette_of(setting.theme)

    def emblem(self, owner: int, x: int, y: int, radius: int) -> None:
        """An owner's shape in its colour."""
        colours = f'fill="{self.palette.fleets[owner]}" stroke="{self.palette.outline}"'
        self.drawing.insert(f'<path d="{emblem(owner, x, y, radius)}" {colours} stroke-width="2"/>')

    def icon(self, name: str, x: int, y: int, scale: float, colour: str = "") -> None:
        """The icon of a card, a badge or a count about a point, in `ink` unless another colour is given."""
        self.drawing.insert(icon(name, x, y, scale, colour or self.theme.ink))

    def tally(self, name: str, title: str, count: int, left: int, top: int) -> None:
        """An icon and a number; pale if it is 0."""
        self.begin(self.labelled(title, str(count)))
        self.icon(name, left + 15, top + 16, 0.72, "" if count else self.theme.line)
        self.text(left + 31, top + 24, str(count), TEXT, "" if count else self.theme.faint)
        self.end()
