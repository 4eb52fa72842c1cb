"""Colours that the pictures of all games share, light and dark."""

from __future__ import annotations

from typing import Final


class Theme:
    """A set of colours, as SVG writes them. Text in `ink` on `paper` and on `panel` has a contrast of at least 7."""

    def __init__(self, name: str, paper: str, panel: str, line: str, ink: str, faint: str, accent: str) -> None:
        self.name: Final = name
        """`light` or `dark`."""
        self.paper: Final = paper
        """Background of the whole picture."""
        self.panel: Final = panel
        """Background of a box on it."""
        self.line: Final = line
        """Borders and rulings."""
        self.ink: Final = ink
        """Text and outlines."""
        self.faint: Final = faint
        """Text of less weight; contrast at least 4.5 on `paper` and on `panel`."""
        self.accent: Final = accent
        """What is to be seen first, such as the seat that is to move."""


LIGHT: Final = Theme("light", "#fdfbf7", "#f1ece2", "#b9ae9c", "#1f1b16", "#5c5348", "#b4470f")
DARK: Final = Theme("dark", "#1b1a1d", "#2a282d", "#57525c", "#f4f1ec", "#b9b2a8", "#ffab6b")
THEMES: Final = {theme.name: theme for theme in (LIGHT, DARK)}
"""The themes by name, the default first."""
