"""Views of Spring Festival in messages."""

from __future__ import annotations

from engine_core.games.spring_festival.tiles import PILES
from engine_core.games.spring_festival.view import DisplayView, SeatView, SpringFestivalView
from services.engine.codecs.spring_festival.nouns import (
    CARDS,
    PRINTED,
    face_number,
    sign_number,
    square_written,
    write_square,
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
        _write_seat_view(out, 7, seat)
    for pile in range(PILES):
        _write_pile(out, 8, view.pile_sizes[pile], view.tops[pile])
    out.numbers(9, view.undrawn, 1)
    out.numbers(10, view.patterns, 1)
    out.numbers(11, view.colours, 1)
    out.numbers(12, view.discards, 1)
    out.numbers(13, view.replaced, 1)
    out.numbers(14, view.unused, 1)
    return out.done()


def _write_shown_tile(out: Writer, field: int, display: DisplayView, slot: int) -> None:
    place = out.begin(field)
    out.data(1, PRINTED[display.tiles[slot]])
    out.data(2, square_written(display.squares[slot]))
    out.number(3, face_number(display.exploded, slot))
    out.end(place)


def _write_seat_view(out: Writer, field: int, seat: SeatView) -> None:
    place = out.begin(field)
    for slot in range(len(seat.display.tiles)):
        _write_shown_tile(out, 1, seat.display, slot)
    out.number(2, seat.laid)
    for tile in seat.unlaid:
        out.data(3, PRINTED[tile])
    if seat.tile >= 0:
        out.data(4, PRINTED[seat.tile])
    out.flag(5, seat.committed)
    write_square(out, 6, seat.choice)
    for card in seat.cards:
        out.data(7, CARDS[card])
    for card in seat.completed:
        out.data(8, CARDS[card])
    out.number(9, seat.applause)
    out.flag(10, seat.launched)
    out.flag(11, seat.left)
    out.end(place)


def _write_pile(out: Writer, field: int, size: int, top: int) -> None:
    place = out.begin(field)
    out.number(1, size)
    if top >= 0:
        out.data(2, PRINTED[top])
    out.end(place)
