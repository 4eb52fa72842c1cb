"""A picture that is being drawn: document, words and colours, with the texts, boxes and shapes of all games."""

from __future__ import annotations

from typing import Final

from engine_core.pictures import Setting
from engine_core.pictures.svg import FONT_SIZE, Drawing, Value, fitted_size, shortened

WIDTH: Final = 1000
"""Width of the pictures of all games."""
TEXT: Final = FONT_SIZE
"""The least font size, which can be read in a picture of 400 pixels."""
TIMES: Final = "\N{MULTIPLICATION SIGN}"


class Sheet:
    """A picture that is being drawn, at first an empty one."""

    def __init__(self, setting: Setting, height: int, description: str) -> None:
        self.setting: Final = setting
        self.words: Final = setting.words
        self.theme: Final = setting.theme
        self.drawing: Final = Drawing(WIDTH, height, setting.words.title, description)
        self.drawing.element("rect", {"width": WIDTH, "height": height, "fill": self.theme.paper})

    def say(self, key: str, *places: str) -> str:
        """A text that only pictures have."""
        return self.words.sentence(f"picture.{key}", *places)

    def labelled(self, label: str, text: str) -> str:
        """A label and what it says, as in `Discards: 7`."""
        return self.words.sentence("picture.labelled", label, text)

    def begin(self, title: str, part: str = "", names: str = "") -> None:
        """Begin a group with a title, and where moves name it an id.

        `names` are the ids of other parts, the best first, for one of which a click on this one stands.
        """
        attributes: dict[str, Value] = {"id": part} if part else {}
        if names:
            attributes["data-names"] = names
        self.drawing.begin(attributes, title)

    def end(self) -> None:
        """End the group that was begun last."""
        self.drawing.end()

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str,
        line: str = "",
        line_width: float = 2,
        radius: float = 14,
        dashes: str = "",
    ) -> None:
        """A rectangle with round corners, without a border unless it has a colour."""
        attributes: dict[str, Value] = {"x": x, "y": y, "width": width, "height": height, "rx": radius, "fill": fill}
        if line:
            attributes["stroke"] = line
            attributes["stroke-width"] = line_width
        if dashes:
            attributes["stroke-dasharray"] = dashes
        self.drawing.element("rect", attributes)

    def path(self, x: float, y: float, d: str, fill: str, scale: float = 1, line: str = "") -> None:
        """A shape or an icon, its origin moved to a point."""
        place = f"translate({x:.5g} {y:.5g})"
        attributes: dict[str, Value] = {
            "d": d,
            "transform": place if scale == 1 else f"{place} scale({scale:.4g})",
            "fill": fill,
        }
        if line:
            attributes["stroke"] = line
            attributes["stroke-width"] = 3
        self.drawing.element("path", attributes)

    def text(
        self,
        x: float,
        y: float,
        content: str,
        size: float = TEXT,
        colour: str = "",
        anchor: str = "",
        bold: bool = False,
    ) -> None:
        """A line of text, in `ink` unless another colour is given; `anchor` is `middle` or `end`."""
        attributes: dict[str, Value] = {"fill": colour or self.theme.ink}
        if size != TEXT:
            attributes["font-size"] = size
        if anchor:
            attributes["text-anchor"] = anchor
        if bold:
            attributes["font-weight"] = "bold"
        self.drawing.text(x, y, content, attributes)

    def fitted(
        self,
        x: float,
        y: float,
        content: str,
        width: float,
        size: float = TEXT,
        colour: str = "",
        anchor: str = "",
        bold: bool = False,
    ) -> None:
        """A line of text that fits into a width: made smaller down to `TEXT`, then shortened."""
        size = fitted_size(content, size, width, bold)
        if size < TEXT:
            size = float(TEXT)  # mypyc takes no int for a float in an assignment
            content = shortened(content, size, width, bold)
        self.text(x, y, content, size, colour, anchor, bold)
