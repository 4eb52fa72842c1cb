"""What a view says beyond its fields: observer, lines that can be attacked, points, winners, and the stage in words."""

from __future__ import annotations

from typing import Final

from engine_core.games.fire_bulls import stages
from engine_core.games.fire_bulls.columns import nearest_square
from engine_core.games.fire_bulls.components import (
    BO,
    COLONEL,
    EMPTY,
    EMPTY_PILES_TO_END,
    EXHAUSTIONS_TO_END,
    GENERAL,
    HAND_LIMIT,
    RULES_BY_PROFILE,
)
from engine_core.games.fire_bulls.score import card_points, colour_points, highest_value
from engine_core.games.fire_bulls.state import GENERAL_WON, NO_SEAT
from engine_core.games.fire_bulls.view import NO_HAND, FireBullsSeatView, FireBullsView
from engine_core.pictures import Setting
from engine_core.words import Words, capitalised

_STAGE_NAMES: Final = {
    stages.SETUP_YEN: "setup_yen",
    stages.SETUP_PLACES: "setup_places",
    stages.SETUP_HANDS: "setup_hands",
    stages.SETUP_RESERVE: "setup_reserve",
    stages.SETUP_FIRST: "setup_first",
    stages.ACTION: "action",
    stages.REFILL: "refill",
    stages.DRAWING: "draw",
    stages.STEPPING: "step",
    stages.POWER: "power",
    stages.BO_DRAW: "bo",
    stages.COLONEL_PICK: "colonel",
    stages.GENERAL_PICK: "general",
    stages.CAPTURE: "capture",
    stages.BONUS: "bonus",
    stages.PRICE: "price",
    stages.RELEASE: "release",
    stages.FILL: "fill",
    stages.OVER: "over",
}

POWERS: Final = {BO: "draw", COLONEL: "discard", GENERAL: "take"}
"""The point cards with a power, and its name."""


def observer_of(view: FireBullsView) -> int:
    for number, seat in enumerate(view.seats):
        if seat.hand != NO_HAND:
            return number
    return NO_SEAT


def open_lines(view: FireBullsView) -> list[int]:
    """The lines along which the active seat may attack or is attacking."""
    if view.direction:
        return [view.direction]
    if view.stage != stages.ACTION:
        return []
    return RULES_BY_PROFILE[view.profile].attackable[view.seats[view.active_seat].place]


def next_square(view: FireBullsView) -> int:
    """The square of the card that the running attack can capture next; `EMPTY` without one."""
    return nearest_square(view.squares, view.direction) if view.stage == stages.CAPTURE else EMPTY


def points_of(seat: FireBullsSeatView) -> int:
    return card_points(seat.victory) + colour_points(seat.victory, seat.colour)


def _rank_key(seat: FireBullsSeatView) -> tuple[bool, int, int]:
    return not seat.has_left, points_of(seat), highest_value(seat.victory)


def winners_of(view: FireBullsView) -> list[int]:
    """The seats of the first rank (FB-81, FB-87)."""
    keys = [_rank_key(seat) for seat in view.seats]
    best = max(keys)
    return [number for number, key in enumerate(keys) if key == best]


def _reason(view: FireBullsView) -> str:
    """Why a match is over, as `end_reason` had it."""
    if view.exhaustions >= EXHAUSTIONS_TO_END:
        return "exhaustion"
    won = view.general_place == GENERAL_WON and view.piles.count(0) >= EMPTY_PILES_TO_END
    return "general" if won else "left"


def stage_text(view: FireBullsView, words: Words) -> str:
    """What is happening, with the captures, the cards in hand or those owed; at the end, why it is over."""
    stage = words.name("stage", _STAGE_NAMES[view.stage])
    if view.stage == stages.OVER:
        stage = words.name("reason", _reason(view))
    elif view.stage == stages.POWER:  # the sentences of the moves do not say which power
        stage = power_text(words, view.power_card)
    elif view.stage == stages.CAPTURE:
        stage = words.sentence("picture.labelled", stage, f"{view.captures} / {view.capture_limit}")
    elif view.stage == stages.RELEASE:
        held = view.seats[view.active_seat].hand_size
        stage = words.sentence("picture.labelled", stage, f"{held} / {HAND_LIMIT}")
    elif view.stage == stages.PRICE:
        stage = words.sentence("picture.labelled", stage, str(view.warriors_owed))
    return capitalised(stage)


def turn_text(view: FireBullsView, setting: Setting) -> str:
    return setting.words.sentence("picture.turn", setting.name(view.active_seat))


def victory_text(view: FireBullsView, setting: Setting) -> str:
    names = [setting.name(number) for number in winners_of(view)]
    return setting.words.sentence("picture.victory", setting.words.joined(names))


def situation(view: FireBullsView, setting: Setting) -> str:
    """Who is to move in which stage, or who won."""
    if view.active_seat == NO_SEAT and view.stage != stages.OVER:
        return stage_text(view, setting.words)
    first = victory_text(view, setting) if view.stage == stages.OVER else turn_text(view, setting)
    return f"{first}. {stage_text(view, setting.words)}"


def power_text(words: Words, card: int) -> str:
    """The power of a point card that has one."""
    return words.name("card_power", POWERS[card])
