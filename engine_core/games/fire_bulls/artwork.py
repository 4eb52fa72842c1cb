"""Shapes, icons and colours of the pictures of Fire Bulls. Each of the five colours has a shape of its own."""

from __future__ import annotations

from typing import Final

from engine_core.pictures.themes import Theme

SHAPES: Final = [
    "M0-10A10 10 0 1 1 0 10A10 10 0 1 1 0-10Z",
    "M0-11L12 9H-12Z",
    "M-9-9H9V9H-9Z",
    "M0-12L12 0L0 12L-12 0Z",
    "M-4-11H4V-4H11V4H4V11H-4V4H-11V-4H-4Z",
    "M0-12L3.2-4H12L5 1.5L7.5 10.5L0 5.3L-7.5 10.5L-5 1.5L-12-4H-3.2Z",
]
"""Paths by kind of attack card, about the origin, 20 units wide: circle, triangle, square, diamond, cross; star."""
ANY_SHAPE: Final = "M0-10A10 10 0 1 1 0 10A10 10 0 1 1 0-10ZM0-5.5A5.5 5.5 0 1 0 0 5.5A5.5 5.5 0 1 0 0-5.5Z"
"""A ring: a bull of any colour."""

BULL: Final = "M6 4C2 14 6 20 13 20L15 31C16 37 24 37 25 31L27 20C34 20 38 14 34 4C33 10 30 12 25 12H15C10 12 7 10 6 4Z"
"""The head of a bull in a box of 40 by 40 units, like all icons."""
CUP: Final = (
    "M11 4H29V8H35C35 15 32 19 27 20C26 23 24 25 22 26V32H28V36H12V32H18V26C16 25 14 23 13 20C8 19 5 15 5 8H11Z"
)
"""The mark of a winner."""
ICONS: Final = {
    "soldier": "M20 2L25 12H15ZM9 15H31V24C31 31 25 35 20 37C15 35 9 31 9 24Z",
    "wu": "M8 3H12V37H8ZM14 5L35 12L14 19Z",
    "xi": "M8 3H12V37H8ZM14 3L35 9L14 15ZM14 17L35 23L14 29Z",
    "bo": "M8 3H12V37H8ZM14 4H36L30 14L36 24H14Z",
    "colonel": "M5 4L11 5L35 30L31 34L6 10ZM35 4L29 5L5 30L9 34L34 10Z",
    "general": "M5 33L3 11L13 20L20 6L27 20L37 11L35 33Z",
    "fortification": "M3 36V14L9 5L14 14V36ZM15 36V14L20 5L25 14V36ZM26 36V14L31 5L37 14V36Z",
}
"""Paths by role of the point cards: shield, banners, swords, crown, palisade."""


class Palette:
    """The colours of cards in a theme. Text in `on[n]` on `fills[n]` has a contrast of at least 4.5."""

    def __init__(self, fills: list[str], on: list[str], card: str, back: str) -> None:
        self.fills: Final = fills
        """By colour of a point card: the five colours, white, all of them."""
        self.on: Final = on
        """Text and shapes on a fill."""
        self.warrior: Final = fills[7]
        self.card: Final = card
        """The ground of a point card."""
        self.back: Final = back
        """The back of a card."""


LIGHT: Final = Palette(
    ["#2563b0", "#f2c52b", "#7a4a21", "#bd2a20", "#22733b", "#e9e4d8", "#3c3731", "#6a3fa0"],
    ["#ffffff", "#1f1b16", "#ffffff", "#ffffff", "#ffffff", "#1f1b16", "#ffffff", "#ffffff"],
    "#ffffff",
    "#cfc5b3",
)
DARK: Final = Palette(
    ["#6fb0f5", "#f4cf45", "#c8935c", "#f37c70", "#62c37b", "#5b5661", "#e6e0d6", "#bb9bf0"],
    ["#161518", "#161518", "#161518", "#161518", "#161518", "#ffffff", "#161518", "#161518"],
    "#39363e",
    "#625d68",
)


def palette_of(theme: Theme) -> Palette:
    """The colours of cards in a theme."""
    return DARK if theme.name == "dark" else LIGHT
