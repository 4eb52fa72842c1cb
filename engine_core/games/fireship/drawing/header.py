"""The panel that says what is going on: stage, what is declared and answered, round and what is left to do."""

from __future__ import annotations

from typing import Final

from engine_core.games.fireship import moves, stages
from engine_core.games.fireship.drawing.facts import STAGE_NAMES, rank_of
from engine_core.games.fireship.drawing.sheet import EDGE, INNER, LARGE, FireshipSheet
from engine_core.games.fireship.notation import NOTATION
from engine_core.games.fireship.state import NO_SEAT
from engine_core.pictures.sheet import TEXT, WIDTH
from engine_core.pictures.svg import shortened, text_width
from engine_core.words import capitalised

_RIGHT: Final = WIDTH - EDGE - 16
_STAGE_SIZE: Final = 28


def draw_header(sheet: FireshipSheet) -> None:
    """Draw the panel, with the emblem of the seat in turn."""
    view, theme = sheet.view, sheet.theme
    sheet.box(EDGE, 6, INNER, 98, theme.panel, theme.line, 2)
    left = 34
    if view.active_seat != NO_SEAT and view.stage != stages.OVER:
        sheet.emblem(view.seats[view.active_seat].colour, 58, 55, 25)
        left = 104
    stage = capitalised(sheet.words.name("stage", STAGE_NAMES[view.stage]))
    sheet.text(left, 37, stage, _STAGE_SIZE, bold=True)
    _draw_answers(sheet, left + round(text_width(stage, _STAGE_SIZE, bold=True)) + 20)
    subject = _subject(sheet)
    sheet.fitted(left, 67, subject, _RIGHT - left, LARGE)
    sheet.fitted(left, 94, " · ".join(_facts(sheet)), _RIGHT - left, colour=theme.faint)


def _draw_answers(sheet: FireshipSheet, left: int) -> None:
    """The cards that answer what was declared, each against the one before it; the last ones if there are many."""
    right = _RIGHT
    for declared in reversed(sheet.view.declared):
        move = declared.move
        if not isinstance(move, moves.Answer):
            break
        text = sheet.words.name("answer_kind", moves.ANSWER_NAMES[move.answer - 1])
        width = round(text_width(text, TEXT, bold=True)) + 44
        if right - width < left:
            break
        sheet.begin(sheet.labelled(sheet.setting.name(declared.seat), text))
        sheet.emblem(sheet.view.seats[declared.seat].colour, right - width + 16, 29, 11)
        sheet.text(right - width + 36, 37, text, colour=sheet.theme.accent, bold=True)
        sheet.end()
        right -= width


def _subject(sheet: FireshipSheet) -> str:
    """Who won, what was declared, which pawn is to go, or whose turn it is."""
    view = sheet.view
    if view.stage == stages.OVER:
        winners = [seat for seat in range(len(view.seats)) if rank_of(view, seat) == 1]
        names = [shortened(sheet.setting.name(seat), LARGE, 700 // len(winners)) for seat in winners]
        return sheet.say("winner" if len(winners) == 1 else "winners", sheet.words.joined(names))
    if view.declared:
        return _declared(sheet)
    if view.active_seat == NO_SEAT:
        return sheet.say("highest_begins")
    if view.stage == stages.SAILING:  # in a base a ring alone does not say which pawn it is
        return NOTATION.sentence(moves.ChoosePawn(view.chosen_pawn), sheet.words)
    return sheet.say("turn_of", sheet.setting.name(view.active_seat))


def _declared(sheet: FireshipSheet) -> str:
    """The action, or what a wheel or mystery square brought, as a sentence that fits into a line."""
    declared = sheet.view.declared
    move = declared[0].move
    if len(declared) > 1 and isinstance(declared[1].move, (moves.Card, moves.Sector)):
        move = declared[1].move
    if isinstance(move, moves.Fog):
        return sheet.say("fog", sheet.words.one("card_source", moves.SOURCES[move.source]))
    if isinstance(move, moves.Fortify):
        return sheet.say("fortify", str(move.island + 1))
    return NOTATION.sentence(move, sheet.words)


def _facts(sheet: FireshipSheet) -> list[str]:
    view = sheet.view
    facts = [sheet.say("round", str(view.round), str(view.options.rounds))]
    if view.time_is_up and view.stage != stages.OVER:
        facts.append(sheet.say("time_up"))
    if view.attack_power:
        facts.append(sheet.say("powers", str(view.attack_power), str(view.defence_power)))
    elif view.stage in (stages.MOVING, stages.SAILING):
        facts.append(sheet.say("action_used" if view.has_acted else "action_free"))
        if view.options.fortification and (view.has_fortified or not view.has_acted):  # no ring after the action
            facts.append(sheet.say("ring_used" if view.has_fortified else "ring_free"))
    return facts
