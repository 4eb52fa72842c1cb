"""A picture of Spring Festival that is being drawn: its view with score and displays, tiles and badges of seats."""

from __future__ import annotations

from typing import Final

from engine_core.game import Score
from engine_core.games.spring_festival.drawing.facts import display_of, score_of, situation
from engine_core.games.spring_festival.drawing.pieces import EXPLOSIONS, ROCKETS, TILE, Titles, star, titles_in
from engine_core.games.spring_festival.view import SpringFestivalView
from engine_core.pictures import Setting
from engine_core.pictures.sheet import TEXT, Sheet
from engine_core.pictures.svg import Value

MARGIN: Final = 16
GAP: Final = 22
"""Space between boxes: half a label on the border of a box fits into it."""

STAR: Final = star(0, 0, 14, 6, 5)
TRIANGLE: Final = "M-7-9L9 0-7 9z"
CHECK: Final = "M-10 0l7 8L10-8"
CROSS: Final = "M-8-8L8 8M8-8L-8 8"
RING: Final = "M-8 0a8 8 0 1016 0a8 8 0 10-16 0z"
"""Marks about a point."""


class SpringFestivalSheet(Sheet):
    """A picture with its view and what follows from it."""

    def __init__(self, view: SpringFestivalView, setting: Setting, height: int) -> None:
        self.view: Final = view
        self.titles: Final[Titles] = titles_in(setting.words)
        self.displays: Final = [display_of(seat) for seat in view.seats]
        self.score: Final[Score] = score_of(view, self.displays)
        super().__init__(setting, height, situation(view, self.score, setting))

    def tile(self, tile: int, exploded: bool, x: float, y: float, size: float, title: str, part: str = "") -> None:
        """A tile in a box of `size`, in a group with the attributes `TILES_GROUP`."""
        attributes: dict[str, Value] = {"id": part} if part else {}
        attributes["transform"] = f"translate({x:.4g} {y:.4g}) scale({size / TILE:.4g})"
        self.drawing.begin(attributes, title)
        self.drawing.insert(EXPLOSIONS[tile] if exploded else ROCKETS[tile])
        self.drawing.end()

    def badge(self, x: float, y: float, number: int) -> None:
        """The number of a seat in a circle."""
        self.drawing.element("circle", {"cx": x, "cy": y, "r": 16, "fill": self.theme.ink})
        self.text(x, y + 8, str(number + 1), TEXT, self.theme.paper, "middle", True)
