"""The header: who is to move in which stage, or who won, and buttons for moves without a place on the table."""

from __future__ import annotations

from typing import Final

from engine_core.games.fire_bulls import stages
from engine_core.games.fire_bulls.drawing.board import power
from engine_core.games.fire_bulls.drawing.facts import stage_text, turn_text, victory_text
from engine_core.games.fire_bulls.drawing.sheet import GAP, INNER, LEFT, TEXT, Sheet
from engine_core.games.fire_bulls.state import NO_SEAT
from engine_core.pictures.svg import BOLD, text_width

_HEADER: Final = 22
_HEADER_HEIGHT: Final = 56


def draw_header(sheet: Sheet) -> None:
    view, theme = sheet.view, sheet.theme
    x, room = LEFT, _draw_buttons(sheet) - LEFT - 12
    stage = stage_text(view, sheet.words)
    if view.stage == stages.OVER:
        sheet.bold(x, _HEADER + 24, victory_text(view, sheet.setting), room, theme.accent, 28)
    elif view.active_seat == NO_SEAT:
        sheet.bold(x, _HEADER + 38, stage, room, theme.ink, 28)
        return
    else:
        sheet.path("M0-13L20 0L0 13Z", x, _HEADER + 14, 1, theme.accent)
        sheet.bold(x + 32, _HEADER + 24, turn_text(view, sheet.setting), room - 32, theme.accent, 28)
    sheet.text(x, _HEADER + 54, stage, room, theme.ink)


def _draw_buttons(sheet: Sheet) -> int:
    """Draw buttons for the moves without a place on the table, from the right. Returns their left edge."""
    view, words = sheet.view, sheet.words
    right = LEFT + INNER
    if view.stage == stages.POWER:
        right = _draw_button(sheet, right, "decline-power", sheet.say("decline_power"), words.sentence("power_no"))
        title = sheet.label(words.sentence("power_yes"), power(words, view.power_card))
        return _draw_button(sheet, right, "use-power", sheet.say("use_power"), title)
    if view.stage == stages.CAPTURE:
        return _draw_button(sheet, right, "stop", words.sentence("stop"), words.sentence("stop"))
    if view.stage == stages.ACTION and view.seats[view.active_seat].has_left:
        return _draw_button(sheet, right, "pass", words.sentence("pass"), words.sentence("pass"))
    return right


def _draw_button(sheet: Sheet, right: int, part: str, content: str, title: str) -> int:
    width = int(text_width(content, TEXT) * BOLD) + 44
    left = right - width
    sheet.drawing.begin({"id": part}, title)
    sheet.box(left, _HEADER, width, _HEADER_HEIGHT, 14, sheet.theme.panel, sheet.theme.ink, 3)
    sheet.bold(left + width / 2, _HEADER + 36, content, width - 20, sheet.theme.ink, TEXT, "middle")
    sheet.drawing.end()
    return left - GAP
