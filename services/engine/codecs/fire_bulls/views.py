"""Views of Fire Bulls in messages."""

from __future__ import annotations

from engine_core.games.fire_bulls.cards import PILES
from engine_core.games.fire_bulls.view import NO_HAND, FireBullsView, SeatView
from services.engine.codecs.fire_bulls.cards import KINDS, WIDTH, write_point_cards
from services.engine.codecs.fire_bulls.options import PROFILES
from services.engine.wire import Writer


def write_view(view: FireBullsView) -> bytes:
    """A `View`."""
    out = Writer()
    out.number(1, PROFILES.index(view.profile) + 1)
    out.number(2, view.stage)
    out.number(3, view.active)
    for seat in view.seats:
        out.data(4, _seat_view_written(seat))
    for pile in range(PILES):
        out.data(5, _column_written(view, pile))
    write_point_cards(out, 6, view.undrawn)
    write_point_cards(out, 7, view.removed)
    out.number(8, view.general)
    out.number(9, view.deck_size)
    out.counts(10, view.at_most, KINDS, WIDTH)
    out.counts(11, view.discards, KINDS, WIDTH)
    out.counts(12, view.reserve, KINDS, WIDTH)
    out.number(13, view.exhaustions)
    out.number(14, view.quiet_turns)
    out.number(15, view.direction)
    out.number(16, view.captures)
    out.number(17, view.capture_limit)
    out.number(18, view.warriors_owed)
    out.number(19, view.power + 1)
    out.number(20, view.general_winner)
    return out.done()


def _seat_view_written(seat: SeatView) -> bytes:
    out = Writer()
    out.number(1, seat.colour + 1)
    out.number(2, seat.place)
    out.number(3, seat.hand_size)
    if seat.hand != NO_HAND:
        out.counts(4, seat.hand, KINDS, WIDTH)
    out.counts(5, seat.known, KINDS, WIDTH)
    write_point_cards(out, 6, seat.victory)
    write_point_cards(out, 7, seat.won_now)
    out.number(8, seat.penalty + 1)
    out.flag(9, seat.left)
    return out.done()


def _column_written(view: FireBullsView, pile: int) -> bytes:
    out = Writer()
    out.number(1, view.piles[pile])
    out.numbers(2, view.squares[pile::PILES], 1)
    return out.done()
