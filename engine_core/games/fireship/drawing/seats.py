"""The boxes of the seats: name, colour, counts, badges, and in words what is special about each."""

from __future__ import annotations

from typing import Final

from engine_core.games.fireship import components, stages
from engine_core.games.fireship.drawing.facts import is_to_move, islands_of, rank_of
from engine_core.games.fireship.drawing.sheet import EDGE, GAP, INNER, LARGE, FireshipSheet
from engine_core.pictures.sheet import TEXT
from engine_core.pictures.svg import text_width

HEIGHT: Final = 128
_LEAST_WIDTH: Final = 235
"""Width of a box where there are four."""
_BADGE_STEP: Final = 46


def draw_seats(sheet: FireshipSheet, top: int) -> None:
    """Draw a box for each seat, clockwise."""
    count = len(sheet.view.seats)
    width = (INNER - (count - 1) * GAP) // count
    for number in range(count):
        _draw_seat(sheet, number, EDGE + number * (width + GAP), top, width)


def _draw_seat(sheet: FireshipSheet, number: int, x: int, y: int, width: int) -> None:
    view, theme = sheet.view, sheet.theme
    seat = view.seats[number]
    full_name = sheet.setting.name(number)
    facts = _conditions(sheet, number)
    colour = sheet.words.name("colour", components.COLOURS[seat.colour])
    sheet.begin(", ".join([f"{full_name} ({colour})", *facts]))
    stands_out = is_to_move(view, number) or (view.stage == stages.OVER and rank_of(view, number) == 1)
    line, line_width = (theme.accent, 5) if stands_out else (theme.line, 3)
    sheet.box(x + 2, y + 2, width - 4, HEIGHT - 4, theme.panel, line, line_width)
    sheet.emblem(seat.colour, x + 26, y + 25, 13)
    is_gone = seat.has_left or seat.eliminated_in_turn > 0
    sheet.fitted(x + 46, y + 33, full_name, width - 56, LARGE, theme.faint if is_gone else "", bold=True)
    _draw_counts(sheet, number, x + 10, y + 40, min(28, (width - _LEAST_WIDTH) // 4))
    _draw_badges(sheet, number, x + 12, y + 68)
    _draw_conditions(sheet, number, facts, x + 14, y + 118, x + width - 12)
    sheet.end()


def _draw_counts(sheet: FireshipSheet, number: int, x: int, y: int, space: int) -> None:
    """Counts of one digit, then of two, with `space` between them."""
    seat = sheet.view.seats[number]
    sheet.tally("flag", sheet.say("islands"), islands_of(sheet.view, seat), x, y)
    sheet.tally("shield", sheet.say("island_power"), seat.island_power, x + 50 + space, y)
    sheet.tally("fleet", sheet.say("pawn_power"), seat.pawn_power, x + 109 + 2 * space, y)
    sheet.tally("card", sheet.say("hand_size"), seat.hand_size, x + 167 + 3 * space, y)


def _draw_badges(sheet: FireshipSheet, number: int, x: int, y: int) -> None:
    """The badges and the anti-skull card, which are public."""
    seat = sheet.view.seats[number]
    for badge, name in enumerate(components.BADGE_NAMES):
        if seat.badges[badge]:
            sheet.tally(name, sheet.words.name("wheel_effect", name), seat.badges[badge], x, y)
            x += _BADGE_STEP
    if seat.anti_skull:
        sheet.begin(sheet.words.name("answer_kind", "anti_skull"))
        sheet.icon("anti_skull", x + 15, y + 16, 0.72)
        sheet.end()


def _draw_conditions(sheet: FireshipSheet, number: int, facts: list[str], x: int, y: int, right: int) -> None:
    """As many of the conditions as there is room for; a triangle before those of a seat that is to move."""
    if not facts:
        return
    colour = sheet.theme.faint
    if is_to_move(sheet.view, number):
        colour = sheet.theme.accent
        sheet.path(x, y - 8, "M0-9l14 9l-14 9z", colour)
        x += 22
    text = facts[0]
    for fact in facts[1:]:
        if text_width(f"{text} · {fact}", TEXT) <= right - x:
            text = f"{text} · {fact}"
    sheet.text(x, y, text, colour=colour)


def _conditions(sheet: FireshipSheet, number: int) -> list[str]:
    """What is special about a seat in words, the most important first."""
    view = sheet.view
    seat = view.seats[number]
    is_over = view.stage == stages.OVER
    facts: list[str] = []
    if is_over:
        facts.append(sheet.say("place", str(rank_of(view, number))))
    elif is_to_move(view, number):
        facts.append(sheet.say("to_move"))
    elif number == view.active_seat:
        facts.append(sheet.say("in_turn"))
    if seat.has_left:
        facts.append(sheet.say("left"))
    if seat.eliminated_in_turn:
        facts.append(sheet.say("out"))
    if is_over:
        return facts
    if seat.has_answered:
        facts.append(sheet.say("answered"))
    if seat.turns_to_skip:
        facts.append(sheet.say("skips", str(seat.turns_to_skip)))
    if seat.fog:
        facts.append(sheet.say("in_fog"))
    if seat.passes_turn:
        facts.append(sheet.say("passes"))
    if view.stage == stages.FIRST_THROW and seat.first_throw:
        facts.append(sheet.say("first_throw", str(seat.first_throw)))
    return facts
