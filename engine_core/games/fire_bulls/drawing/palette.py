"""The colours of cards and pawns, light and dark."""

from __future__ import annotations

from typing import Final

from engine_core.pictures.themes import Theme


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
