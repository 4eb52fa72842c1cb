"""The picture of a position of Fire Bulls, and the parts of it that a move names."""

from __future__ import annotations

from engine_core.game import Move
from engine_core.games.fire_bulls import moves
from engine_core.games.fire_bulls.drawing.attack_cards import (
    HAND_HEIGHT,
    RESERVE,
    RESERVE_HEIGHT,
    attack_card_part,
    draw_attack_cards,
)
from engine_core.games.fire_bulls.drawing.board import (
    draw_general,
    draw_lines,
    draw_piles,
    draw_places,
    draw_squares,
    line_part,
)
from engine_core.games.fire_bulls.drawing.facts import observer_of
from engine_core.games.fire_bulls.drawing.header import draw_header
from engine_core.games.fire_bulls.drawing.piles import draw_counters, draw_deck, draw_discards
from engine_core.games.fire_bulls.drawing.seats import captured_card_part, draw_seat, seat_height
from engine_core.games.fire_bulls.drawing.sheet import GAP, LEFT, FireBullsSheet
from engine_core.games.fire_bulls.payments import cards_of_payment
from engine_core.games.fire_bulls.state import NO_SEAT
from engine_core.games.fire_bulls.view import FireBullsView
from engine_core.pictures import Setting


def parts(move: Move) -> tuple[str, ...]:
    """Ids of the elements to click for a move of a seat: the cards of a payment one by one, then what is attacked."""
    if isinstance(move, moves.Take):
        return (attack_card_part("reserve", move.card),)
    if isinstance(move, moves.Draw):
        return ("deck",)
    if isinstance(move, moves.Step):
        return (line_part(move.to),)
    if isinstance(move, moves.Attack):
        return (*_payment_parts(move.payment), line_part(move.direction))
    if isinstance(move, moves.AttackGeneral):
        return (*_payment_parts(move.payment), "general")
    if isinstance(move, moves.Capture):
        return (*_payment_parts(move.payment), "next-card")
    if isinstance(move, moves.Stop):
        return ("stop",)
    if isinstance(move, moves.Power):
        return ("use-power",) if move.use else ("decline-power",)
    if isinstance(move, moves.Price):
        return (captured_card_part(move.card),)
    if isinstance(move, moves.Release):
        return (attack_card_part("hand", move.card),)
    return ("pass",) if isinstance(move, moves.Pass) else ()


def _payment_parts(payment: int) -> list[str]:
    return [attack_card_part("hand", card) for card in cards_of_payment(payment)]


def draw(view: FireBullsView, setting: Setting) -> str:
    """A view as an SVG document, 1000 units wide."""
    observer = observer_of(view)
    seats_top = RESERVE + RESERVE_HEIGHT + GAP + (0 if observer == NO_SEAT else HAND_HEIGHT + GAP)
    tops = [seats_top]
    for number in range(len(view.seats)):
        tops.append(tops[-1] + seat_height(view, number) + GAP)
    sheet = FireBullsSheet(view, setting, tops[-1] + LEFT // 2)
    draw_header(sheet)
    draw_lines(sheet)
    draw_piles(sheet)
    draw_squares(sheet)
    draw_places(sheet)
    draw_general(sheet)
    draw_counters(sheet)
    draw_deck(sheet)
    draw_discards(sheet)
    draw_attack_cards(sheet, RESERVE, RESERVE_HEIGHT, "reserve", view.reserve, "")
    if observer != NO_SEAT:
        top = RESERVE + RESERVE_HEIGHT + GAP
        draw_attack_cards(sheet, top, HAND_HEIGHT, "hand", view.seats[observer].hand, setting.name(observer))
    for number in range(len(view.seats)):
        draw_seat(sheet, number, tops[number])
    return sheet.drawing.svg()
