"""The boxes of the seats: name, colour, number of cards in hand, points and captured cards."""

from __future__ import annotations

from typing import Final

from engine_core.games.fire_bulls import stages
from engine_core.games.fire_bulls.components import (
    ALL_COLOURS,
    ATTACK_CARDS,
    COLOURS,
    EMPTY,
    POINT_CARD_NAMES,
    POINT_CARDS,
    POINT_KINDS,
    WHITE,
)
from engine_core.games.fire_bulls.drawing import glyphs
from engine_core.games.fire_bulls.drawing.attack_cards import attack_fill, attack_on
from engine_core.games.fire_bulls.drawing.board import draw_token
from engine_core.games.fire_bulls.drawing.facts import points_of, winners_of
from engine_core.games.fire_bulls.drawing.sheet import INNER, LEFT, FireBullsSheet
from engine_core.games.fire_bulls.payments import cards_of_payment
from engine_core.games.fire_bulls.view import FireBullsSeatView, FireBullsView
from engine_core.pictures.sheet import TIMES

_SEAT_HEIGHT: Final = 84
_CHIP_HEIGHT: Final = 34
_CHIP_PITCH: Final = 40
_PAYMENT_SCALE: Final = 1.8
"""A captured card is then 40 by 24 pixels in a picture of 400, the least for fingers by WCAG 2.2."""
_CHIPS: Final = 96
"""From the left edge of a seat's box to its captured cards."""


def captured_card_part(card: int) -> str:
    """The id of captured cards of a kind that can pay the price of warriors."""
    return f"won-{POINT_CARD_NAMES[card]}"


def seat_height(view: FireBullsView, number: int) -> int:
    """The height of the box of a seat."""
    scale = _chip_scale(view, number)
    return _SEAT_HEIGHT - _CHIP_PITCH + round(scale * _CHIP_PITCH * len(_chip_rows(view.seats[number], scale)))


def _chip_scale(view: FireBullsView, number: int) -> float:
    """The size of captured cards: large where they are clicked to pay the price of warriors."""
    return _PAYMENT_SCALE if view.stage == stages.PRICE and number == view.active_seat else 1.0


def _chip_rows(seat: FireBullsSeatView, scale: float) -> list[list[tuple[int, int]]]:
    """The captured cards of a seat as kinds with their numbers, in rows, at least one; last the lost card, number 0."""
    chips = [(card, seat.victory[card]) for card in range(POINT_KINDS) if seat.victory[card]]
    if seat.penalty != EMPTY:
        chips.append((seat.penalty, 0))
    rows: list[list[tuple[int, int]]] = [[]]
    room = (INNER - _CHIPS - 12) / scale
    x = 0
    for card, number in chips:
        width = _chip_width(number)
        if x + width > room:
            rows.append([])
            x = 0
        rows[-1].append((card, number))
        x += width + 12
    return rows


def _chip_width(number: int) -> int:
    return 56 if number < 2 else 92


def draw_seat(sheet: FireBullsSheet, number: int, top: int) -> None:
    """The public facts of a seat: name, colour, number of cards in hand, points and captured cards."""
    theme, seat = sheet.theme, sheet.view.seats[number]
    is_active = number == sheet.view.active_seat
    has_won = sheet.view.stage == stages.OVER and number in winners_of(sheet.view)
    height = seat_height(sheet.view, number)
    sheet.begin(sheet.setting.name(number), f"seat-{number + 1}")
    sheet.box(LEFT, top, INNER, height, theme.panel, theme.accent if is_active or has_won else "", 4)
    draw_token(sheet, number, LEFT + 14, top + 11, 60)
    x = LEFT + 96
    if is_active:
        sheet.path(x, top + 24, "M0-11L16 0L0 11Z", theme.accent)
        x += 26
    if has_won:
        sheet.path(x - 6, top + 6, glyphs.CUP, theme.accent, 0.8)
        x += 30
    sheet.fitted(x, top + 32, sheet.setting.name(number), LEFT + 420 - x, 24, bold=True)
    note = sheet.say("left") if seat.has_left else sheet.words.name("colour", COLOURS[seat.colour])
    sheet.fitted(LEFT + 434, top + 32, note, 130, colour=theme.faint)
    _draw_hand_size(sheet, seat, LEFT + 560, top)
    sheet.fitted(LEFT + INNER - 84, top + 32, sheet.say("points"), 100, colour=theme.faint, anchor="end")
    sheet.fitted(LEFT + INNER - 14, top + 33, str(points_of(seat)), 66, 30, anchor="end", bold=True)
    _draw_chips(sheet, number, top + 42)
    sheet.end()


def _draw_hand_size(sheet: FireBullsSheet, seat: FireBullsSeatView, x: float, top: int) -> None:
    """The cards of a hand, those that everybody knows face up (FB-90)."""
    title = sheet.labelled(sheet.say("hand_size"), str(seat.hand_size))
    known = cards_of_payment(seat.known_cards)
    if known:
        kinds = [card for card in range(len(ATTACK_CARDS)) if card in known]
        names = [sheet.words.several("attack_card", ATTACK_CARDS[card], known.count(card)) for card in kinds]
        title = f"{title}. {sheet.labelled(sheet.say('known'), sheet.words.joined(names))}"
    sheet.begin(title)
    sheet.fitted(x + 30, top + 32, str(seat.hand_size), 36, 24, anchor="end", bold=True)
    step = min(18.0, 150 / max(1, seat.hand_size))
    for place in range(seat.hand_size):
        left = x + 40 + step * place
        if place < len(known):
            card = known[place]
            sheet.box(left, top + 9, 24, 30, attack_fill(sheet, card), sheet.theme.panel, radius=5)
            sheet.path(left + 9, top + 20, glyphs.SHAPES[card], attack_on(sheet, card), 0.6)
        else:
            sheet.box(left, top + 9, 24, 30, sheet.palette.back, sheet.theme.panel, radius=5)
    sheet.end()


def _draw_chips(sheet: FireBullsSheet, seat_number: int, top: int) -> None:
    seat = sheet.view.seats[seat_number]
    scale = _chip_scale(sheet.view, seat_number)
    sheet.drawing.begin({"transform": f"translate({LEFT + _CHIPS} {top}) scale({scale:g})"})
    for row, cards in enumerate(_chip_rows(seat, scale)):
        x, y = 0, _CHIP_PITCH * row
        for card, number in cards:
            new = seat.won_this_turn[card] if number else 0
            part = captured_card_part(card) if scale > 1 and number > new else ""
            title = f"{number} {TIMES} {sheet.point_card(card)}"
            if number == 0:
                title = sheet.words.sentence("picture.lost", sheet.point_card(card))
            elif new:
                title = sheet.words.sentence("picture.won_now", title)
            sheet.begin(title, part)
            _draw_chip(sheet, card, x, y, number)
            if new:
                sheet.box(x - 2, y - 2, 60, _CHIP_HEIGHT + 4, "none", sheet.theme.accent, 3, radius=10)
            sheet.end()
            x += _chip_width(number) + 12
    sheet.end()


def _draw_chip(sheet: FireBullsSheet, card: int, x: int, y: int, number: int) -> None:
    """A captured card: its value with the shape of its colour, or the icon of its role, and how many there are."""
    kind = POINT_CARDS[card]
    fill, on = sheet.palette.fills[kind.colour], sheet.palette.on[kind.colour]
    sheet.box(x, y, _chip_width(number), _CHIP_HEIGHT, sheet.theme.panel, radius=8)
    sheet.box(x, y, 56, _CHIP_HEIGHT, fill, sheet.theme.line if kind.colour == WHITE else "", radius=8)
    has_two_digits = kind.value > 9
    sheet.fitted(x + (3 if has_two_digits else 7), y + 25, str(kind.value), 40, colour=on, bold=True)
    if kind.colour < WHITE:
        sheet.path(x + 40, y + 17, glyphs.SHAPES[kind.colour], on, 0.8)
    elif kind.colour == ALL_COLOURS or kind.role not in ("wu", "xi"):
        left, scale = (34, 0.45) if has_two_digits else (30, 0.5)
        sheet.path(x + left, y + 8, glyphs.ICONS[kind.role], on, scale)
    else:
        sheet.path(x + 40, y + 17, glyphs.ANY_SHAPE, on, 0.8)
    if number == 0:
        sheet.drawing.element(
            "path", {"d": f"M{x - 4} {y + 38}L{x + 60} {y - 4}", "stroke": sheet.theme.ink, "stroke-width": 4}
        )
    if number > 1:
        sheet.fitted(x + 61, y + 25, f"{TIMES}{number}", 36)
