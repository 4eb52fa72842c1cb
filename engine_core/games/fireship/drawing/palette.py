"""The colours of the sea, its squares and the five owners, light and dark."""

from __future__ import annotations

from typing import Final

from engine_core.pictures.themes import DARK, LIGHT, Theme


class Palette:
    """Colours that only Fireship has, as SVG writes them; the lists are by owner, white last."""

    def __init__(self, sea: list[str], land: list[str], fleets: list[str], outline: str, hull: str, signs: str) -> None:
        self.sea: Final = sea
        """Plain, wheel, battleship and mystery squares, as `board.SPECIAL` numbers them."""
        self.land: Final = land
        """Islands and bases; the theme's `ink` on them has a contrast of at least 4.5."""
        self.fleets: Final = fleets
        """Emblems and borders; the shape of the emblem tells owners apart without colour."""
        self.outline: Final = outline
        """Outline of emblems."""
        self.hull: Final = hull
        """What pawns of all owners have in common; the theme's `paper` on it has a contrast of at least 4.5."""
        self.signs: Final = signs
        """Signs on squares and islands, over which pawns may stand."""


_PALETTES: Final = {
    LIGHT.name: Palette(
        ["#cfe6f1", "#fbdcae", "#d5d3e6", "#d9eac0"],
        ["#cdebd6", "#cddff6", "#fad5cb", "#fbeeb4", "#f6f1e4"],
        ["#1f9d5c", "#2367c9", "#d5402b", "#f6c416", "#fff"],
        "#111",
        "#333",
        "#8a8f8c",
    ),
    DARK.name: Palette(
        ["#1c3645", "#57401c", "#3b3756", "#36481f"],
        ["#1d4a31", "#1f3a68", "#662a20", "#5a4a10", "#4b463f"],
        ["#34c67b", "#5b9cf5", "#f2604a", "#ffd33d", "#fff"],
        "#111",
        "#ddd",
        "#8f959b",
    ),
}


def palette_of(theme: Theme) -> Palette:
    """The colours that go with a theme."""
    return _PALETTES[theme.name]
