"""What is at the sides of the board: the counters of the end, the Qi deck and the discards."""

from __future__ import annotations

from engine_core import packed
from engine_core.games.fire_bulls.components import (
    ATTACK_CARDS,
    EXHAUSTIONS_TO_END,
    QUIET_TURNS_PER_SEAT,
)
from engine_core.games.fire_bulls.drawing import glyphs
from engine_core.games.fire_bulls.drawing.attack_cards import attack_fill
from engine_core.games.fire_bulls.drawing.board import BOARD, CARD_WIDTH, PLACES, column
from engine_core.games.fire_bulls.drawing.sheet import GAP, LEFT, TEXT, Sheet


def draw_counters(sheet: Sheet) -> None:
    """How near the end is, and how many cards have left the game."""
    view, top = sheet.view, BOARD + 138
    sheet.panel(LEFT, top, CARD_WIDTH, PLACES - GAP - top)
    quiet_turns = f"{view.quiet_turns} / {QUIET_TURNS_PER_SEAT * len(view.seats)}"
    _draw_counter(sheet, top + 32, "exhaustions", f"{view.exhaustions} / {EXHAUSTIONS_TO_END}")
    _draw_counter(sheet, top + 104, "quiet_turns", quiet_turns)
    _draw_counter(sheet, top + 176, "removed", str(sum(view.removed)))


def _draw_counter(sheet: Sheet, y: float, key: str, value: str) -> None:
    centre = LEFT + CARD_WIDTH / 2
    sheet.text(centre, y, sheet.say(key), CARD_WIDTH - 8, sheet.theme.faint, TEXT, "middle")
    sheet.bold(centre, y + 28, value, CARD_WIDTH - 8, sheet.theme.ink, 24, "middle")


def draw_deck(sheet: Sheet) -> None:
    """The Qi deck, at the right of the piles."""
    x, theme = column(4), sheet.theme
    size = sheet.view.deck_size
    name = sheet.say("deck")
    sheet.drawing.begin({"id": "deck"}, sheet.label(name, str(size)))
    sheet.box(x, BOARD, CARD_WIDTH, 132, 12, theme.panel, theme.line)
    sheet.text(x + CARD_WIDTH / 2, BOARD + 32, name, CARD_WIDTH - 12, theme.ink, 24, "middle")
    layers = min(3, size)
    for layer in range(layers):
        sheet.box(x + 16 + 7 * layer, BOARD + 46 + 2 * layer, 54, 72, 8, sheet.palette.back, theme.paper)
    if size:
        sheet.path(glyphs.BULL, x + 16 + 7 * layers, BOARD + 60 + 2 * layers, 1, theme.paper)
    sheet.bold(x + 132, BOARD + 98, str(size), 70, theme.ink, 36, "middle")
    sheet.drawing.end()


def draw_discards(sheet: Sheet) -> None:
    """The discards, counted by kind."""
    x, top, theme = column(4), BOARD + 142, sheet.theme
    discards = sheet.view.discards
    name = sheet.say("discards")
    sheet.drawing.begin({"id": "discards"}, sheet.label(name, str(packed.size(discards))))
    sheet.panel(x, top, CARD_WIDTH, PLACES - GAP - top)
    sheet.text(x + CARD_WIDTH / 2, top + 34, name, CARD_WIDTH - 12, theme.ink, 24, "middle")
    for card in range(len(ATTACK_CARDS)):
        left, middle = x + 32 + 84 * (card % 2), top + 76 + 50 * (card // 2)
        sheet.path(glyphs.SHAPES[card], left, middle, 1.3, attack_fill(sheet, card))
        sheet.text(left + 20, middle + 8, str(packed.count_of(discards, card)), 40, theme.ink, 24)
    sheet.drawing.end()
