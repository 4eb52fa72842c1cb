"""Writer of SVG documents. They have presentation attributes only: no style, script or link, which a strict
Content-Security-Policy would refuse, and no external resource."""

from __future__ import annotations

from html import escape
from typing import Final

FONT: Final = "DejaVu Sans, Verdana, sans-serif"
CHARACTER_WIDTH: Final = 0.62
"""Mean width of a character of `FONT`, in font sizes, rounded up."""

Value = str | int | float


class Drawing:
    """An SVG document that is being written. Coordinates and sizes are in user units from the left upper corner."""

    def __init__(self, width: int, height: int, title: str, description: str) -> None:
        """`title` and `description` are what screen readers say of the picture."""
        self._written: Final = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
            f'font-family="{FONT}"><title>{escape(title)}</title><desc>{escape(description)}</desc>'
        ]

    def element(self, name: str, attributes: dict[str, Value]) -> None:
        """An empty element, such as a `rect`. Underscores in the names of attributes are hyphens."""
        self._written.append(f"<{name}{_written_attributes(attributes)}/>")

    def begin(self, attributes: dict[str, Value], title: str = "") -> None:
        """Begin a group; `title` is its name for screen readers and as a tooltip."""
        self._written.append(
            f"<g{_written_attributes(attributes)}>" + (f"<title>{escape(title)}</title>" if title else "")
        )

    def end(self) -> None:
        """End the group that was begun last."""
        self._written.append("</g>")

    def text(self, x: float, y: float, content: str, attributes: dict[str, Value]) -> None:
        """A line of text whose baseline begins, or with `text-anchor` is centred or ends, at a point."""
        self._written.append(f"<text{_written_attributes({'x': x, 'y': y, **attributes})}>{escape(content)}</text>")

    def svg(self) -> str:
        """The document."""
        return "".join([*self._written, "</svg>"])


def fitted_size(content: str, size: float, width: float) -> float:
    """The font size, at most `size`, at which a line of text is no wider than `width`."""
    return min(size, round(width / (CHARACTER_WIDTH * max(1, len(content))), 1))


def _written_attributes(attributes: dict[str, Value]) -> str:
    return "".join([f' {name.replace("_", "-")}="{_written(value)}"' for name, value in attributes.items()])


def _written(value: Value) -> str:
    return f"{value:.5g}" if isinstance(value, float) else escape(str(value))
