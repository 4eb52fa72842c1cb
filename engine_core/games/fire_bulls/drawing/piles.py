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
from engine_core.games.fire_bulls.drawing.board import BOARD, CARD_WIDTH, PLACES, column_left
from engine_core.games.fire_bulls.drawing.sheet import GAP, LEFT, FireBullsSheet


def draw_counters(sheet: FireBullsSheet) -> None:
    """How near the end is, and how many cards have left the game."""
    view, top = sheet.view, BOARD + 138
    sheet.box(LEFT, top, CARD_WIDTH, PLACES - GAP - top, sheet.theme.panel)
    quiet_turns = f"{view.quiet_turns} / {QUIET_TURNS_PER_SEAT * len(view.seats)}"
    _draw_counter(sheet, top + 32, "exhaustions", f"{view.exhaustions} / {EXHAUSTIONS_TO_END}")
    _draw_counter(sheet, top + 104, "quiet_turns", quiet_turns)
    _draw_counter(sheet, top + 176, "removed", str(sum(view.removed)))


def _draw_counter(sheet: FireBullsSheet, y: float, key: str, value: str) -> None:
    centre = LEFT + CARD_WIDTH / 2
    sheet.fitted(centre, y, sheet.say(key), CARD_WIDTH - 8, colour=sheet.theme.faint, anchor="middle")
    sheet.fitted(centre, y + 28, value, CARD_WIDTH - 8, 24, anchor="middle", bold=True)


def draw_deck(sheet: FireBullsSheet) -> None:
    """The Qi deck, at the right of the piles."""
    x, theme = column_left(4), sheet.theme
    size = sheet.view.deck_size
    name = sheet.say("deck")
    sheet.begin(sheet.labelled(name, str(size)), "deck")
    sheet.box(x, BOARD, CARD_WIDTH, 132, theme.panel, theme.line)
    sheet.fitted(x + CARD_WIDTH / 2, BOARD + 32, name, CARD_WIDTH - 12, 24, anchor="middle")
    layers = min(3, size)
    for layer in range(layers):
        sheet.box(x + 16 + 7 * layer, BOARD + 46 + 2 * layer, 54, 72, sheet.palette.back, theme.paper, radius=8)
    if size:
        sheet.path(x + 16 + 7 * layers, BOARD + 60 + 2 * layers, glyphs.BULL, theme.paper)
    sheet.fitted(x + 132, BOARD + 98, str(size), 70, 36, anchor="middle", bold=True)
    sheet.end()


def draw_discards(sheet: FireBullsSheet) -> None:
    """The discards, counted by kind."""
    x, top = column_left(4), BOARD + 142
    discards = sheet.view.discards
    name = sheet.say("discards")
    sheet.begin(sheet.labelled(name, str(packed.size(discards))), "discards")
    sheet.box(x, top, CARD_WIDTH, PLACES - GAP - top, sheet.theme.panel)
    sheet.fitted(x + CARD_WIDTH / 2, top + 34, name, CARD_WIDTH - 12, 24, anchor="middle")
    for card in range(len(ATTACK_CARDS)):
        left, middle = x + 32 + 84 * (card % 2), top + 76 + 50 * (card // 2)
        sheet.path(left, middle, glyphs.SHAPES[card], attack_fill(sheet, card), 1.3)
        sheet.fitted(left + 20, middle + 8, str(packed.count_of(discards, card)), 40, 24)
    sheet.end()
