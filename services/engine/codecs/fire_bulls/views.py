"""Writes views of Fire Bulls as `View` messages."""

from __future__ import annotations

from typing import Final

from fireside.fire_bulls.v1 import field_numbers as fields

from engine_core.games.fire_bulls.components import PILES, SQUARES
from engine_core.games.fire_bulls.view import NO_HAND, FireBullsSeatView, FireBullsView
from services.engine.codecs.fire_bulls.cards import COUNT_BITS, PointCards
from services.engine.codecs.fire_bulls.options import PROFILES
from services.engine.wire import Writer


class Views:
    """Writer of views, with caches of encoded point cards."""

    def __init__(self) -> None:
        self._undrawn: Final = PointCards(fields.View.UNDRAWN)
        self._removed: Final = PointCards(fields.View.REMOVED)
        self._victory: Final = PointCards(fields.SeatView.VICTORY)
        self._won_this_turn: Final = PointCards(fields.SeatView.WON_THIS_TURN)

    def write(self, view: FireBullsView) -> bytes:
        """The bytes of a `View`."""
        out = Writer()
        out.number(fields.View.PROFILE, PROFILES.index(view.profile) + 1)
        out.number(fields.View.STAGE, view.stage)
        out.number(fields.View.ACTIVE_SEAT, view.active_seat)
        for seat in view.seats:
            self._write_seat(out, fields.View.SEATS, seat)
        for pile in range(PILES):
            _write_column(out, fields.View.COLUMNS, view, pile)
        self._undrawn.write(out, view.undrawn)
        self._removed.write(out, view.removed)
        out.number(fields.View.GENERAL, view.general_place)
        out.number(fields.View.DECK_SIZE, view.deck_size)
        out.counts(fields.View.DECK_AT_MOST, view.deck_at_most, COUNT_BITS)
        out.counts(fields.View.DISCARDS, view.discards, COUNT_BITS)
        out.counts(fields.View.RESERVE, view.reserve, COUNT_BITS)
        out.number(fields.View.EXHAUSTIONS, view.exhaustions)
        out.number(fields.View.QUIET_TURNS, view.quiet_turns)
        out.number(fields.View.DIRECTION, view.direction)
        out.number(fields.View.CAPTURES, view.captures)
        out.number(fields.View.CAPTURE_LIMIT, view.capture_limit)
        out.number(fields.View.WARRIORS_OWED, view.warriors_owed)
        out.number(fields.View.POWER, view.power_card + 1)
        out.number(fields.View.GENERAL_WINNER, view.general_winner)
        return out.to_bytes()

    def _write_seat(self, out: Writer, field: int, seat: FireBullsSeatView) -> None:
        start = out.begin(field)
        out.number(fields.SeatView.COLOUR, seat.colour + 1)
        out.number(fields.SeatView.PLACE, seat.place)
        out.number(fields.SeatView.HAND_SIZE, seat.hand_size)
        if seat.hand != NO_HAND:
            out.counts(fields.SeatView.HAND, seat.hand, COUNT_BITS)
        out.counts(fields.SeatView.KNOWN, seat.known_cards, COUNT_BITS)
        self._victory.write(out, seat.victory)
        self._won_this_turn.write(out, seat.won_this_turn)
        out.number(fields.SeatView.PENALTY, seat.penalty + 1)
        out.flag(fields.SeatView.LEFT, seat.has_left)
        out.end(start)


def _write_column(out: Writer, field: int, view: FireBullsView, pile: int) -> None:
    start = out.begin(field)
    out.number(fields.Column.PILE_SIZE, view.piles[pile])
    cards = out.begin(fields.Column.SQUARES)
    for square in range(pile, SQUARES, PILES):
        out.element(view.squares[square] + 1)
    out.end(cards)
    out.end(start)
