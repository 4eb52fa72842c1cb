"""The column next to the sea: dice, points, deck, discards, stock of badges, and the powers of pawns."""

from __future__ import annotations

from typing import Final

from engine_core import packed
from engine_core.games.fireship import components, stages
from engine_core.games.fireship.drawing.glyphs import EMBLEMS, HULLS, PIPS, SKULL
from engine_core.games.fireship.drawing.sea import EXTENT, LEFT, TOP
from engine_core.games.fireship.drawing.sheet import EDGE, FireshipSheet
from engine_core.pictures.sheet import WIDTH

_LEFT: Final = LEFT + EXTENT + 12
_WIDTH: Final = WIDTH - EDGE - _LEFT
_MIDDLE: Final = _LEFT + _WIDTH // 2
_STEP: Final = 36
_DIE: Final = 54
_NOT_THROWN: Final = -1
_PAPER: Final = "#fff"
_INK: Final = "#111"
"""Dice are white with black pips in both themes, as real ones are."""


def draw_piles(sheet: FireshipSheet) -> None:
    """Draw the column from its top to the bottom."""
    view = sheet.view
    _draw_dice(sheet)
    y = TOP + 124
    has_points = len(view.dice) > 0 and view.stage != stages.FIRST_THROW
    sheet.text(_MIDDLE, y + 32, str(view.points) if has_points else "-", 40, anchor="middle", bold=True)
    _draw_label(sheet, y + 64, "points")
    y += 78
    sheet.begin(sheet.labelled(sheet.say("deck"), str(view.deck_size)))
    sheet.box(_MIDDLE - 32, y, 64, 78, sheet.palette.sea[0], sheet.palette.hull, 3)
    sheet.text(_MIDDLE, y + 49, str(view.deck_size), 28, anchor="middle", bold=True)
    sheet.end()
    _draw_label(sheet, y + 104, "deck")
    y += 122
    _draw_label(sheet, y + 16, "discards")
    y += 28
    for kind, name in enumerate(components.CARDS):
        title = sheet.words.name("mystery_card", name)
        count = packed.count_of(view.discards, kind)
        sheet.tally(name, title, count, _LEFT + kind % 2 * _WIDTH // 2, y + kind // 2 * _STEP)
    y += 5 * _STEP + 18
    _draw_label(sheet, y + 16, "badges")
    y += 28
    for number, name in enumerate(components.BADGE_NAMES):
        title = sheet.words.name("wheel_effect", name)
        left, top = _LEFT + number % 2 * _WIDTH // 2, y + number // 2 * _STEP
        sheet.tally(name, title, view.badge_stock[number], left, top)
    _draw_powers(sheet, y + 96)


def _draw_label(sheet: FireshipSheet, y: int, key: str) -> None:
    sheet.text(_MIDDLE, y, sheet.say(key), colour=sheet.theme.faint, anchor="middle")


def _draw_powers(sheet: FireshipSheet, top: int) -> None:
    _draw_label(sheet, top + 16, "power")
    for kind, power in enumerate(components.POWERS):
        x = _LEFT + _WIDTH * (2 * kind + 1) // 6
        sheet.begin(sheet.labelled(sheet.words.name("pawn_kind", components.KINDS[kind]), str(power)))
        sheet.path(x, top + 46, HULLS[kind] + EMBLEMS[components.WHITE][kind], sheet.palette.hull, 0.72)
        sheet.text(x, top + 86, str(power), anchor="middle")
        sheet.end()


def _draw_dice(sheet: FireshipSheet) -> None:
    """Two dice in a row and a third one below, or places for those that are not thrown."""
    dice = sheet.view.dice
    number = max(len(dice), sheet.view.options.movement_dice)
    for place in range(number):
        x = _LEFT + (_DIE + 6) * (place % 2)
        y = TOP + (_DIE + 6) * (place // 2)
        if number == 2:
            y += _DIE // 2
        elif place == number - 1 and place % 2 == 0:
            x = _MIDDLE - _DIE // 2
        _draw_die(sheet, x, y, dice[place] if place < len(dice) else _NOT_THROWN)


def _draw_die(sheet: FireshipSheet, x: int, y: int, face: int) -> None:
    if face == _NOT_THROWN:
        sheet.begin(sheet.say("not_thrown"))
        sheet.box(x, y, _DIE, _DIE, "none", sheet.theme.line, 3, dashes="8 6")
        sheet.end()
        return
    sheet.begin(sheet.words.name("die_face", str(face) if face else "skull"))
    sheet.box(x, y, _DIE, _DIE, _PAPER, _INK, 3)
    middle_x, middle_y = x + _DIE // 2, y + _DIE // 2
    if face == components.SKULL:
        place = f'transform="translate({middle_x} {middle_y})"'
        sheet.drawing.insert(f'<path {place} d="{SKULL}" fill="{_INK}" fill-rule="evenodd"/>')
    else:
        pips = "".join([f"M{middle_x + 14 * column} {middle_y + 14 * row}h0" for column, row in PIPS[face]])
        sheet.drawing.insert(f'<path d="{pips}" stroke="{_INK}" stroke-width="11"/>')
    sheet.end()
