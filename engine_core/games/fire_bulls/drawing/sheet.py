"""A picture of Fire Bulls that is being drawn: its view, words and colours, and what all parts of it write."""

from __future__ import annotations

from typing import Final

from engine_core.games.fire_bulls.components import (
    ATTACK_CARDS,
    POINT_CARD_NAMES,
)
from engine_core.games.fire_bulls.drawing.facts import situation
from engine_core.games.fire_bulls.drawing.palette import palette_of
from engine_core.games.fire_bulls.view import FireBullsView
from engine_core.pictures import Setting
from engine_core.pictures.svg import BOLD, Drawing, Value, fitted_size, shortened

_WIDTH: Final = 1000
LEFT: Final = 34
INNER: Final = _WIDTH - 2 * LEFT
GAP: Final = 8
TEXT: Final = 22
"""The least size of text."""
TIMES: Final = "\N{MULTIPLICATION SIGN}"


class Sheet:
    """A picture that is being drawn, with what all its parts need."""

    def __init__(self, view: FireBullsView, setting: Setting, height: int) -> None:
        self.view: Final = view
        self.setting: Final = setting
        self.words: Final = setting.words
        self.theme: Final = setting.theme
        self.palette: Final = palette_of(setting.theme)
        self.drawing: Final = Drawing(_WIDTH, height, setting.words.title, situation(view, setting))
        self.box(0, 0, _WIDTH, height, 0, self.theme.paper, "none")

    def say(self, key: str) -> str:
        return self.words.sentence(f"picture.{key}")

    def label(self, name: str, value: str) -> str:
        """A name and its value, as in `Discards: 7`."""
        return self.words.sentence("picture.label", name, value)

    def attack_card(self, card: int) -> str:
        return self.words.name("attack_card", ATTACK_CARDS[card])

    def point_card(self, card: int) -> str:
        return self.words.name("point_card", POINT_CARD_NAMES[card].replace("-", "_"))

    def box(
        self, x: float, y: float, width: float, height: float, radius: float, fill: str, stroke: str, wide: int = 2
    ) -> None:
        """A rounded rectangle."""
        attributes: dict[str, Value] = {"x": x, "y": y, "width": width, "height": height, "rx": radius, "fill": fill}
        if stroke != "none":
            attributes["stroke"] = stroke
            attributes["stroke-width"] = wide
        self.drawing.element("rect", attributes)

    def panel(self, x: float, y: float, width: float, height: float) -> None:
        """The box of a group of things."""
        self.box(x, y, width, height, 12, self.theme.panel, "none")

    def path(self, d: str, x: float, y: float, scale: float, fill: str) -> None:
        """A shape or an icon, its origin moved to a point."""
        place = f"translate({x:.5g} {y:.5g})"
        self.drawing.element(
            "path", {"d": d, "transform": place if scale == 1 else f"{place} scale({scale:.3g})", "fill": fill}
        )

    def text(
        self, x: float, y: float, content: str, width: float, fill: str, size: float = TEXT, anchor: str = "start"
    ) -> None:
        """A line of text that fits into a width, made smaller down to `TEXT`, then shortened."""
        size = max(TEXT, fitted_size(content, size, width))
        attributes: dict[str, Value] = {"font-size": size, "fill": fill}
        if anchor != "start":
            attributes["text-anchor"] = anchor
        self.drawing.text(x, y, shortened(content, size, width), attributes)

    def bold(
        self, x: float, y: float, content: str, width: float, fill: str, size: float = TEXT, anchor: str = "start"
    ) -> None:
        """A line of bold text, fitted like `text`."""
        width = width / BOLD
        size = max(TEXT, fitted_size(content, size, width))
        attributes: dict[str, Value] = {"font-size": size, "fill": fill, "font-weight": "bold"}
        if anchor != "start":
            attributes["text-anchor"] = anchor
        self.drawing.text(x, y, shortened(content, size, width), attributes)
