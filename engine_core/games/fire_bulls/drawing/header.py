"""The header: who is to move in which stage, or who won, and buttons for moves without a place on the table."""

from __future__ import annotations

from typing import Final

from engine_core.games.fire_bulls import stages
from engine_core.games.fire_bulls.drawing.facts import power_text, stage_text, turn_text, victory_text
from engine_core.games.fire_bulls.drawing.sheet import GAP, INNER, LEFT, FireBullsSheet
from engine_core.games.fire_bulls.state import NO_SEAT
from engine_core.pictures.sheet import TEXT
from engine_core.pictures.svg import text_width

_HEADER: Final = 20
_HEADER_HEIGHT: Final = 60


def draw_header(sheet: FireBullsSheet) -> None:
    view, theme = sheet.view, sheet.theme
    x, room = LEFT, _draw_buttons(sheet) - LEFT - 12
    stage = stage_text(view, sheet.words)
    if view.stage == stages.OVER:
        sheet.fitted(x, _HEADER + 24, victory_text(view, sheet.setting), room, 28, theme.accent, bold=True)
    elif view.active_seat == NO_SEAT:
        sheet.fitted(x, _HEADER + 38, stage, room, 28, bold=True)
        return
    else:
        sheet.path(x, _HEADER + 14, "M0-13L20 0L0 13Z", theme.accent)
        sheet.fitted(x + 32, _HEADER + 24, turn_text(view, sheet.setting), room - 32, 28, theme.accent, bold=True)
    sheet.fitted(x, _HEADER + 54, stage, room)


def _draw_buttons(sheet: FireBullsSheet) -> int:
    """Draw buttons for the moves without a place on the table, from the right. Returns their left edge."""
    view, words = sheet.view, sheet.words
    right = LEFT + INNER
    if view.stage == stages.POWER:
        right = _draw_button(sheet, right, "decline-power", sheet.say("decline_power"), words.sentence("power_no"))
        title = sheet.labelled(words.sentence("power_yes"), power_text(words, view.power_card))
        return _draw_button(sheet, right, "use-power", sheet.say("use_power"), title)
    if view.stage == stages.CAPTURE:
        return _draw_button(sheet, right, "stop", words.sentence("stop"), words.sentence("stop"))
    if view.stage == stages.ACTION and view.seats[view.active_seat].has_left:
        return _draw_button(sheet, right, "pass", words.sentence("pass"), words.sentence("pass"))
    return right


def _draw_button(sheet: FireBullsSheet, right: int, part: str, content: str, title: str) -> int:
    width = int(text_width(content, TEXT, bold=True)) + 44
    left = right - width
    sheet.begin(title, part)
    sheet.box(left, _HEADER, width, _HEADER_HEIGHT, sheet.theme.panel, sheet.theme.ink, 3)
    sheet.fitted(left + width / 2, _HEADER + 36, content, width - 20, anchor="middle", bold=True)
    sheet.end()
    return left - GAP
