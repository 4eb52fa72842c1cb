"""A picture of Fireship that is being drawn: its view and words, and what all panels write."""

from __future__ import annotations

from typing import Final

from engine_core.games.fireship.drawing.glyphs import emblem, icon
from engine_core.games.fireship.drawing.palette import palette_of
from engine_core.games.fireship.view import FireshipView
from engine_core.pictures import Setting
from engine_core.pictures.svg import Drawing, Value

WIDTH: Final = 1000
EDGE: Final = 14
"""Free space around the picture."""
INNER: Final = WIDTH - 2 * EDGE
GAP: Final = 10
SMALL: Final = 22
"""The least size of text, and the usual one."""
LARGE: Final = 24


class Sheet:
    """A drawing with the view, the words and the colours that it is drawn with. Coordinates are whole numbers."""

    def __init__(self, drawing: Drawing, view: FireshipView, setting: Setting) -> None:
        self.drawing: Final = drawing
        self.view: Final = view
        self.setting: Final = setting
        self.words: Final = setting.words
        self.theme: Final = setting.theme
        self.palette: Final = palette_of(setting.theme)

    def word(self, key: str) -> str:
        """A text that only pictures have."""
        return self.words.sentence(f"picture.{key}")

    def sentence(self, key: str, *parts: str) -> str:
        """A text with places that only pictures have."""
        return self.words.sentence(f"picture.{key}", *parts)

    def begin_panels(self) -> None:
        """Begin the group of panels, whose elements say only what differs from it: 2 KB fewer of 43."""
        self.drawing.insert(
            f'<g font-size="{SMALL}" fill="{self.theme.ink}" stroke-width="3" stroke-linecap="round" '
            'stroke-linejoin="round">'
        )

    def begin(self, title: str, part: str = "") -> None:
        """Begin a group with a title, and where it can be clicked an id."""
        self.drawing.begin({"id": part} if part else {}, title)

    def end(self) -> None:
        """End the group that was begun last."""
        self.drawing.end()

    def box(self, x: int, y: int, width: int, height: int, attributes: str) -> None:
        """A rectangle with round corners."""
        self.drawing.insert(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="14" {attributes}/>')

    def text(self, x: int, y: int, content: str, fill: str = "", size: int = SMALL) -> None:
        """A line of text that begins at a point."""
        self._text(x, y, content, fill, size, {})

    def label(self, x: int, y: int, content: str, fill: str = "", size: int = SMALL) -> None:
        """A line of text that is centred on a point."""
        self._text(x, y, content, fill, size, {"text_anchor": "middle"})

    def bold(self, x: int, y: int, content: str, fill: str = "", size: int = SMALL) -> None:
        """A line of bold text that begins at a point."""
        self._text(x, y, content, fill, size, {"font_weight": "bold"})

    def bold_label(self, x: int, y: int, content: str, fill: str = "", size: int = SMALL) -> None:
        """A line of bold text that is centred on a point."""
        self._text(x, y, content, fill, size, {"text_anchor": "middle", "font_weight": "bold"})

    def _text(self, x: int, y: int, content: str, fill: str, size: int, attributes: dict[str, Value]) -> None:
        if size != SMALL:
            attributes["font_size"] = size
        if fill:
            attributes["fill"] = fill
        self.drawing.text(x, y, content, attributes)

    def emblem(self, owner: int, x: int, y: int, radius: int) -> None:
        """An owner's shape in its colour."""
        colours = f'fill="{self.palette.fleets[owner]}" stroke="{self.palette.outline}"'
        self.drawing.insert(f'<path d="{emblem(owner, x, y, radius)}" {colours} stroke-width="2"/>')

    def tally(self, name: str, title: str, count: int, left: int, top: int) -> None:
        """An icon and a number; pale if it is 0."""
        self.begin(f"{title}: {count}")
        self.drawing.insert(icon(name, left + 15, top + 16, 0.72, self.theme.ink if count else self.theme.line))
        self.text(left + 31, top + 24, str(count), "" if count else self.theme.faint)
        self.end()
