"""Writes views of Spring Festival as `View` messages."""

from __future__ import annotations

from fireside.spring_festival.v1 import field_numbers as fields

from engine_core.games.spring_festival.components import PILES
from engine_core.games.spring_festival.view import DisplayView, SpringFestivalSeatView, SpringFestivalView
from services.engine.codecs.spring_festival.shared_fields import (
    COMPOSITION_BYTES,
    TILE_BYTES,
    face_number,
    sign_number,
    square_bytes,
    write_square,
)
from services.engine.wire import Writer


def write_view(view: SpringFestivalView) -> bytes:
    """The bytes of a `View`."""
    out = Writer()
    out.number(fields.View.STAGE, view.stage)
    out.number(fields.View.ROUND, view.round)
    out.number(fields.View.ACTIVE_SEAT, view.active_seat)
    out.number(fields.View.COMPOSING_SEAT, view.composing_seat)
    out.number(fields.View.OFFSET, view.offset)
    out.number(fields.View.SIGN, sign_number(view.sign))
    for seat in view.seats:
        _write_seat_view(out, fields.View.SEATS, seat)
    for pile in range(PILES):
        _write_pile(out, fields.View.PILES, view.pile_sizes[pile], view.top_tiles[pile])
    out.numbers(fields.View.UNDRAWN, view.undrawn, 1)
    out.numbers(fields.View.UNDRAWN_PATTERNS, view.undrawn_patterns, 1)
    out.numbers(fields.View.UNDRAWN_COLOURS, view.undrawn_colours, 1)
    out.numbers(fields.View.DISCARDS, view.discards, 1)
    out.numbers(fields.View.REPLACED, view.replaced, 1)
    out.numbers(fields.View.UNUSED_START_TILES, view.unused, 1)
    return out.to_bytes()


def _write_shown_tile(out: Writer, field: int, display: DisplayView, slot: int) -> None:
    start = out.begin(field)
    out.data(fields.DisplayTile.TILE, TILE_BYTES[display.tiles[slot]])
    out.data(fields.DisplayTile.SQUARE, square_bytes(display.squares[slot]))
    out.number(fields.DisplayTile.FACE, face_number(display.exploded, slot))
    out.end(start)


def _write_seat_view(out: Writer, field: int, seat: SpringFestivalSeatView) -> None:
    start = out.begin(field)
    for slot in range(len(seat.display.tiles)):
        _write_shown_tile(out, fields.SeatView.DISPLAY, seat.display, slot)
    out.number(fields.SeatView.LAID, seat.laid)
    for tile in seat.unlaid:
        out.data(fields.SeatView.UNLAID, TILE_BYTES[tile])
    if seat.tile >= 0:
        out.data(fields.SeatView.TILE, TILE_BYTES[seat.tile])
    out.flag(fields.SeatView.COMMITTED, seat.committed)
    write_square(out, fields.SeatView.PLACEMENT, seat.placement)
    for card in seat.cards:
        out.data(fields.SeatView.CARDS, COMPOSITION_BYTES[card])
    for card in seat.completed:
        out.data(fields.SeatView.COMPLETED, COMPOSITION_BYTES[card])
    out.number(fields.SeatView.APPLAUSE, seat.applause)
    out.flag(fields.SeatView.LAUNCHED, seat.has_launched)
    out.flag(fields.SeatView.LEFT, seat.has_left)
    out.end(start)


def _write_pile(out: Writer, field: int, size: int, top: int) -> None:
    start = out.begin(field)
    out.number(fields.Pile.SIZE, size)
    if top >= 0:
        out.data(fields.Pile.TOP, TILE_BYTES[top])
    out.end(start)
