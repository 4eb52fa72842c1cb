"""Rows of attack cards: the Reserve and the observer's hand."""

from __future__ import annotations

from typing import Final

from engine_core import packed
from engine_core.games.fire_bulls.components import (
    ATTACK_CARDS,
    WARRIOR,
)
from engine_core.games.fire_bulls.drawing import glyphs
from engine_core.games.fire_bulls.drawing.sheet import INNER, LEFT, TIMES, Sheet

RESERVE: Final = 548
RESERVE_HEIGHT: Final = 94
HAND_HEIGHT: Final = 122


def attack_fill(sheet: Sheet, card: int) -> str:
    return sheet.palette.warrior if card == WARRIOR else sheet.palette.fills[card]


def attack_on(sheet: Sheet, card: int) -> str:
    return sheet.palette.on[-1] if card == WARRIOR else sheet.palette.on[card]


def draw_attack_cards(sheet: Sheet, top: int, height: int, part: str, cards: int, owner: str) -> None:
    """A row of attack cards, those of a kind as a fan, under a name and with an owner's name below it."""
    theme = sheet.theme
    sheet.panel(LEFT, top, INNER, height)
    name = sheet.say(part)
    sheet.bold(LEFT + 16, top + height / 2 + (-4 if owner else 8), name, 136, theme.ink, 24)
    if owner:
        sheet.text(LEFT + 16, top + height / 2 + 26, owner, 136, theme.faint)
    kinds = [card for card in range(len(ATTACK_CARDS)) if packed.count_of(cards, card)]
    width = (height - 20) * 0.76
    extra = packed.size(cards) - len(kinds)
    room = INNER - 180 - len(kinds) * (width + 16)
    step = min(width * 0.36, room / extra) if extra else 0.0
    x = LEFT + 168.0
    for card in kinds:
        number = packed.count_of(cards, card)
        sheet.drawing.begin({"id": f"{part}-{ATTACK_CARDS[card]}"}, f"{number} {TIMES} {sheet.attack_card(card)}")
        for _ in range(number - 1):
            _draw_attack_card(sheet, card, x, top + 10, width, 0)
            x += step
        _draw_attack_card(sheet, card, x, top + 10, width, number)
        sheet.drawing.end()
        x += width + 16


def _draw_attack_card(sheet: Sheet, card: int, x: float, y: float, width: float, number: int) -> None:
    """An attack card; the front one of a fan also has a picture and the number of cards."""
    fill, on = attack_fill(sheet, card), attack_on(sheet, card)
    sheet.box(x, y, width, width / 0.76, 10, fill, sheet.theme.panel, 3)
    sheet.path(glyphs.SHAPES[card], x + width * 0.2, y + width * 0.2, width / 90, on)
    if number:
        scale = width / 62
        sheet.path(
            glyphs.ICONS["soldier"] if card == WARRIOR else glyphs.BULL, x + width * 0.3, y + width * 0.26, scale, on
        )
        if number > 1:
            sheet.bold(x + width - 8, y + width / 0.76 - 8, f"{TIMES}{number}", width, on, 24, "end")
