"""Pictures of Kuhn poker: both cards face up or down, the pot, and a button for each action."""

from __future__ import annotations

from typing import Final

from engine_core.game import Move
from engine_core.pictures import Setting
from engine_core.pictures.svg import Drawing
from tests.kuhn_poker.rules import CARDS, NO_CARD, SEATS, Act, KuhnView

ACTIONS: Final = ["pass", "bet"]


def draw(view: KuhnView, setting: Setting) -> str:
    """A view as an SVG document."""
    words, theme = setting.words, setting.theme
    pot = f"{sum(view.paid)} {words.name('score', 'pot')}"
    drawing = Drawing(400, 300, words.title, pot)
    drawing.element("rect", {"width": 400, "height": 300, "fill": theme.paper})
    for seat in range(SEATS):
        card = view.cards[seat]
        face = words.name("card", CARDS[card]) if card != NO_CARD else "?"
        left = 60 + 160 * seat
        drawing.text(left + 60, 30, setting.name(seat), {"text-anchor": "middle", "fill": theme.ink})
        drawing.element("rect", {"x": left, "y": 45, "width": 120, "height": 120, "rx": 8, "fill": theme.panel})
        drawing.text(left + 60, 110, face, {"text-anchor": "middle", "fill": theme.ink})
    drawing.text(200, 195, pot, {"text-anchor": "middle", "fill": theme.faint})
    for number, action in enumerate(ACTIONS):
        label, left = words.name("action", action), 60 + 160 * number
        drawing.begin({"id": action}, label)
        drawing.element("rect", {"x": left, "y": 225, "width": 120, "height": 50, "rx": 8, "fill": theme.accent})
        drawing.text(left + 60, 255, label, {"text-anchor": "middle", "fill": theme.paper})
        drawing.end()
    return drawing.svg()


def parts(move: Move) -> tuple[str, ...]:
    """The button of an action; nature's moves have no part."""
    return (ACTIONS[move.action],) if isinstance(move, Act) else ()
