"""Writer of SVG documents. They have presentation attributes only: no style, script or link, which a strict
Content-Security-Policy would refuse, and no external resource."""

from __future__ import annotations

from html import escape
from typing import Final
from unicodedata import east_asian_width, normalize

FONT: Final = "DejaVu Sans, Verdana, sans-serif"
FONT_SIZE: Final = 22
"""Of texts without one of their own: most have it."""
_REGULAR: Final = (
    "32 41 46 84 64 96 78 28 40 40 50 84 32 37 32 34 64 64 64 64 64 64 64 64 64 64 34 34 84 84 84 54 "
    "100 69 69 70 78 64 58 78 76 30 30 66 56 87 75 79 61 79 70 64 62 74 69 99 69 62 69 40 34 40 84 50 "
    "50 62 64 55 64 62 36 64 64 28 28 58 28 98 64 62 64 64 42 53 40 64 60 82 60 60 53 64 34 64 84"
)
_BOLD: Final = (
    "35 46 53 84 70 101 88 31 46 46 53 84 38 42 38 37 70 70 70 70 70 70 70 70 70 70 40 40 84 84 84 59 "
    "100 78 77 74 84 69 69 83 84 38 38 78 64 100 84 86 74 86 78 73 69 82 78 111 78 73 73 46 37 46 84 50 "
    "50 68 72 60 72 68 44 72 72 35 35 67 35 105 72 69 72 72 50 60 48 72 66 93 65 66 59 72 37 72 84"
)
"""Widths of the characters U+0020 to U+007E in DejaVu Sans, in hundredths of the font size, rounded up."""
OTHER_WIDTH: Final = 0.8
OTHER_BOLD_WIDTH: Final = 1.02
"""Width that is assumed of a character that is not in the tables, nor is without its accents, nor is wide."""
WIDE: Final = 1.1
"""Width of a wide character, such as a Chinese one or an emoji."""

_UNFIT: Final = dict.fromkeys(
    [*range(9), 11, 12, *range(14, 32), 65534, 65535, *range(0x202A, 0x202F), *range(0x2066, 0x206A)], "�"
)
"""Characters of players' names that no XML document may have, or that reverse the text after them."""

Value = str | int | float


def _widths(advances: str, space: float, apostrophe: float) -> dict[str, float]:
    """Widths of characters of font size 1."""
    return {
        **{chr(32 + place): int(width) / 100 for place, width in enumerate(advances.split())},
        "\N{NO-BREAK SPACE}": space,
        "\N{RIGHT SINGLE QUOTATION MARK}": apostrophe,
        "\N{MIDDLE DOT}": apostrophe,
        "\N{MULTIPLICATION SIGN}": 0.84,
        "\N{HORIZONTAL ELLIPSIS}": 1.0,
    }


REGULAR_WIDTHS: Final = _widths(_REGULAR, 0.32, 0.32)
BOLD_WIDTHS: Final = _widths(_BOLD, 0.35, 0.38)


class Drawing:
    """An SVG document that is being written. Coordinates and sizes are in user units from the left upper corner.

    Values of attributes are written as they are: what players write, such as names, belongs into texts and titles.
    """

    def __init__(self, width: int, height: int, title: str, description: str) -> None:
        """`title` and `description` are what screen readers say of the picture."""
        self._written: Final = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
            f'font-family="{FONT}" font-size="{FONT_SIZE}">'
            f"<title>{_escaped(title)}</title><desc>{_escaped(description)}</desc>"
        ]

    def element(self, name: str, attributes: dict[str, Value]) -> None:
        """An empty element, such as a `rect`. Underscores in the names of attributes are hyphens."""
        self._written.append(f"<{name}{_written_attributes(attributes)}/>")

    def begin(self, attributes: dict[str, Value], title: str = "") -> None:
        """Begin a group; `title` is its name for screen readers and as a tooltip."""
        self._written.append(
            f"<g{_written_attributes(attributes)}>" + (f"<title>{_escaped(title)}</title>" if title else "")
        )

    def end(self) -> None:
        """End the group that was begun last."""
        self._written.append("</g>")

    def text(self, x: float, y: float, content: str, attributes: dict[str, Value]) -> None:
        """A line of text whose baseline begins, or with `text-anchor` is centred or ends, at a point."""
        self._written.append(f"<text{_written_attributes({'x': x, 'y': y, **attributes})}>{_escaped(content)}</text>")

    def insert(self, markup: str) -> None:
        """Elements that are written already, such as those that are the same in all pictures."""
        self._written.append(markup)

    def svg(self) -> str:
        """The document."""
        return "".join([*self._written, "</svg>"])


def text_width(content: str, size: float, bold: bool = False) -> float:
    """The width of a line of text, rounded up."""
    widths = BOLD_WIDTHS if bold else REGULAR_WIDTHS
    width = 0.0
    for character in content:
        width += widths.get(character) or _rare_width(character, bold)
    return width * size


def _rare_width(character: str, bold: bool) -> float:
    if east_asian_width(character) in "WF":
        return WIDE
    letter = normalize("NFD", character)[0]
    return BOLD_WIDTHS.get(letter, OTHER_BOLD_WIDTH) if bold else REGULAR_WIDTHS.get(letter, OTHER_WIDTH)


def fitted_size(content: str, size: float, width: float, bold: bool = False) -> float:
    """The font size, at most `size`, at which a line of text is no wider than `width`."""
    return min(size, int(10 * width / max(0.1, text_width(content, 1, bold))) / 10)


def shortened(content: str, size: float, width: float, bold: bool = False) -> str:
    """A line of text, its end replaced by `…` where it would be wider than `width`."""
    if text_width(content, size, bold) <= width:
        return content
    room = width - size  # of which `…` takes all
    end = 0
    while end < len(content) and (room := room - text_width(content[end], size, bold)) >= 0:
        end += 1
    return content[:end].rstrip() + "…"


def wrapped(content: str, size: float, width: float, bold: bool = False) -> list[str]:
    """A text in lines that are no wider than `width`, but for single words that are."""
    lines: list[str] = []
    for word in content.split():
        if lines and text_width(f"{lines[-1]} {word}", size, bold) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _written_attributes(attributes: dict[str, Value]) -> str:
    return "".join([f' {name.replace("_", "-")}="{_written(value)}"' for name, value in attributes.items()])


def _written(value: Value) -> str:
    return value if isinstance(value, str) else f"{value:.5g}"


def _escaped(text: str) -> str:
    return escape(text.translate(_UNFIT))
