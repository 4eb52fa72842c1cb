"""A picture of Fire Bulls that is being drawn: its view and colours, and the names of cards."""

from __future__ import annotations

from typing import Final

from engine_core.games.fire_bulls.components import ATTACK_CARDS, POINT_CARD_NAMES
from engine_core.games.fire_bulls.drawing.facts import situation
from engine_core.games.fire_bulls.drawing.palette import palette_of
from engine_core.games.fire_bulls.view import FireBullsView
from engine_core.pictures import Setting
from engine_core.pictures.sheet import WIDTH, Sheet

LEFT: Final = 34
INNER: Final = WIDTH - 2 * LEFT
GAP: Final = 8


class FireBullsSheet(Sheet):
    """A picture with its view and the colours of the cards."""

    def __init__(self, view: FireBullsView, setting: Setting, height: int) -> None:
        super().__init__(setting, height, situation(view, setting))
        self.view: Final = view
        self.palette: Final = palette_of(setting.theme)

    def attack_card(self, card: int) -> str:
        """The name of a kind of attack card."""
        return self.words.name("attack_card", ATTACK_CARDS[card])

    def point_card(self, card: int) -> str:
        """The name of a point card."""
        return self.words.name("point_card", POINT_CARD_NAMES[card].replace("-", "_"))
