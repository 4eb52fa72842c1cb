"""Rows of attack cards: the Reserve and the observer's hand."""

from __future__ import annotations

from typing import Final

from engine_core import packed
from engine_core.games.fire_bulls.components import (
    ATTACK_CARDS,
    WARRIOR,
)
from engine_core.games.fire_bulls.drawing import glyphs
from engine_core.games.fire_bulls.drawing.sheet import INNER, LEFT, FireBullsSheet
from engine_core.pictures.sheet import TEXT, TIMES
from engine_core.pictures.svg import wrapped

RESERVE: Final = 548
RESERVE_HEIGHT: Final = 94
HAND_HEIGHT: Final = 122
_LABEL_WIDTH: Final = 144
"""Width of what is written at the left of the cards."""


def attack_card_part(row: str, card: int) -> str:
    """The id of a kind of attack card in a row, `reserve` or `hand`."""
    return f"{row}-{ATTACK_CARDS[card]}"


def attack_fill(sheet: FireBullsSheet, card: int) -> str:
    return sheet.palette.warrior if card == WARRIOR else sheet.palette.fills[card]


def attack_on(sheet: FireBullsSheet, card: int) -> str:
    return sheet.palette.on[-1] if card == WARRIOR else sheet.palette.on[card]


def draw_attack_cards(sheet: FireBullsSheet, top: int, height: int, row: str, cards: int, owner: str) -> None:
    """A row of attack cards, those of a kind as a fan, under a name and with an owner's name below it."""
    theme = sheet.theme
    sheet.box(LEFT, top, INNER, height, theme.panel)
    lines = wrapped(owner, TEXT, _LABEL_WIDTH)[:2]
    baseline = top + height / 2 + 8 - 13 * len(lines)
    sheet.fitted(LEFT + 16, baseline, sheet.say(row), _LABEL_WIDTH, 24, bold=True)
    for line in lines:
        baseline += 28
        sheet.fitted(LEFT + 16, baseline, line, _LABEL_WIDTH, colour=theme.faint)
    kinds = [card for card in range(len(ATTACK_CARDS)) if packed.count_of(cards, card)]
    width = (height - 20) * 0.76
    extra = packed.size(cards) - len(kinds)
    room = INNER - 180 - len(kinds) * (width + 16)
    step = min(width * 0.36, room / extra) if extra else 0.0
    x = LEFT + 168.0
    for card in kinds:
        number = packed.count_of(cards, card)
        sheet.begin(f"{number} {TIMES} {sheet.attack_card(card)}", attack_card_part(row, card))
        for _ in range(number - 1):
            _draw_attack_card(sheet, card, x, top + 10, width, 0)
            x += step
        _draw_attack_card(sheet, card, x, top + 10, width, number)
        sheet.end()
        x += width + 16


def _draw_attack_card(sheet: FireBullsSheet, card: int, x: float, y: float, width: float, number: int) -> None:
    """An attack card; the front one of a fan also has a picture and the number of cards."""
    fill, on = attack_fill(sheet, card), attack_on(sheet, card)
    sheet.box(x, y, width, width / 0.76, fill, sheet.theme.panel, 3, radius=10)
    sheet.path(x + width * 0.2, y + width * 0.2, glyphs.SHAPES[card], on, width / 90)
    if number:
        scale = width / 62
        sheet.path(
            x + width * 0.3, y + width * 0.26, glyphs.ICONS["soldier"] if card == WARRIOR else glyphs.BULL, on, scale
        )
        if number > 1:
            sheet.fitted(x + width - 8, y + width / 0.76 - 8, f"{TIMES}{number}", width, 24, on, "end", bold=True)
