"""Views of Spring Festival in messages."""

from __future__ import annotations

from engine_core.games.spring_festival.tiles import PILES
from engine_core.games.spring_festival.view import DisplayView, SeatView, SpringFestivalView
from services.engine import wire
from services.engine.codecs.spring_festival.nouns import (
    CARDS,
    PRINTED,
    face_number,
    sign_number,
    square_named,
    square_written,
)
from services.engine.wire import Writer


def write_view(view: SpringFestivalView) -> bytes:
    """A `View`."""
    out = Writer()
    out.number(1, view.stage)
    out.number(2, view.round)
    out.number(3, view.active)
    out.number(4, view.composer)
    out.number(5, view.offset)
    out.number(6, sign_number(view.sign))
    for seat in view.seats:
        out.data(7, _seat_view_written(seat))
    for pile in range(PILES):
        out.data(8, _pile_written(view.pile_sizes[pile], view.tops[pile]))
    out.numbers(9, view.undrawn, 1)
    out.numbers(10, view.patterns, 1)
    out.numbers(11, view.colours, 1)
    out.numbers(12, view.discards, 1)
    out.numbers(13, view.replaced, 1)
    out.numbers(14, view.unused, 1)
    return out.done()


def _shown_tile_written(display: DisplayView, slot: int) -> bytes:
    out = Writer()
    out.data(1, PRINTED[display.tiles[slot]])
    out.data(2, square_written(display.squares[slot]))
    out.number(3, face_number(display.exploded, slot))
    return out.done()


def _seat_view_written(seat: SeatView) -> bytes:
    out = Writer()
    for slot in range(len(seat.display.tiles)):
        out.data(1, _shown_tile_written(seat.display, slot))
    out.number(2, seat.laid)
    for tile in seat.unlaid:
        out.data(3, PRINTED[tile])
    if seat.tile >= 0:
        out.data(4, PRINTED[seat.tile])
    out.flag(5, seat.committed)
    out.written(square_named(6, seat.choice))
    for card in seat.cards:
        out.data(7, CARDS[card])
    for card in seat.completed:
        out.data(8, CARDS[card])
    out.number(9, seat.applause)
    out.flag(10, seat.launched)
    out.flag(11, seat.left)
    return out.done()


def _pile_written(size: int, top: int) -> bytes:
    return wire.number(1, size) + (b"" if top < 0 else wire.data(2, PRINTED[top]))
