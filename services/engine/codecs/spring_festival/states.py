"""Converts states of Spring Festival to `State` messages and back."""

from __future__ import annotations

from collections.abc import Sequence

from fireside.spring_festival.v1 import field_numbers as fields
from fireside.spring_festival.v1 import spring_festival_pb2 as pb

from engine_core.games.spring_festival import consistency, effects
from engine_core.games.spring_festival.components import MAX_APPLAUSE, PILES, ROUNDS, SIGNS, TILES
from engine_core.games.spring_festival.compositions import COMPOSITIONS
from engine_core.games.spring_festival.display import MAX_TILES, Display, empty_display
from engine_core.games.spring_festival.moves import MAX_SEATS
from engine_core.games.spring_festival.squares import FARTHEST, NO_SQUARE, square_at
from engine_core.games.spring_festival.stages import OVER, SETUP_STORE
from engine_core.games.spring_festival.state import (
    MIN_SEATS,
    NO_SEAT,
    NO_SIGN,
    SpringFestivalOptions,
    SpringFestivalSeat,
    SpringFestivalState,
)
from services.engine.codecs.ranges import decode_state_options, require, state_number
from services.engine.codecs.spring_festival.options import decode_options, write_options
from services.engine.codecs.spring_festival.shared_fields import (
    FIRST_SIGN,
    face_number,
    sign_number,
    square_bytes,
    write_square,
)
from services.engine.wire import Writer


def write_state(state: SpringFestivalState) -> bytes:
    """The bytes of a `State` without its `rules_version`."""
    out = Writer()
    out.data(fields.State.OPTIONS, write_options(state.options))
    out.number(fields.State.STAGE, state.stage)
    out.number(fields.State.ROUND, state.round)
    out.number(fields.State.ACTIVE_SEAT, state.active_seat)
    out.number(fields.State.COMPOSING_SEAT, state.composing_seat)
    out.number(fields.State.OFFSET, state.offset)
    out.number(fields.State.SIGN, sign_number(state.sign))
    for seat in state.seats:
        _write_seat(out, fields.State.SEATS, seat)
    out.numbers(fields.State.TOPS, state.top_tiles, 1)
    out.numbers(fields.State.UNDRAWN, state.undrawn, 1)
    out.numbers(fields.State.UNDRAWN_PATTERNS, state.undrawn_patterns, 1)
    out.numbers(fields.State.UNDRAWN_COLOURS, state.undrawn_colours, 1)
    out.numbers(fields.State.DISCARDS, state.discards, 1)
    out.numbers(fields.State.REPLACED, state.replaced, 1)
    out.text(fields.State.REASON, state.reason)
    return out.to_bytes()


def decode_state(message: pb.State) -> SpringFestivalState:
    """The state of a message, each field checked for its range. Raises `InconsistentState`."""
    stage = state_number(message.stage, SETUP_STORE, OVER, "stage")
    round_number = state_number(message.round, 0, ROUNDS, "round")
    offset = state_number(message.offset, 0, PILES - 1, "offset")
    sign = _decode_sign(message.sign)
    seats = _decode_seats(message.seats)
    last = len(seats) - 1
    options = _decode_options(message.options, len(seats))
    tops = _decode_top_tiles(message.tops)
    undrawn = _decode_tiles(message.undrawn, "undrawn")
    patterns = _decode_cards(message.undrawn_patterns, "undrawnPatterns")
    colours = _decode_cards(message.undrawn_colours, "undrawnColours")
    discards = _decode_tiles(message.discards, "discards")
    replaced = _decode_tiles(message.replaced, "replaced")
    state = SpringFestivalState(options, seats, undrawn, patterns, colours, tops, discards, replaced)
    state.stage = stage
    state.round = round_number
    state.active_seat = state_number(message.active_seat, NO_SEAT, last, "activeSeat")
    state.composing_seat = state_number(message.composing_seat, NO_SEAT, last, "composingSeat")
    state.offset = offset
    state.sign = sign
    state.reason = message.reason
    consistency.check_seats(state)
    state.seats_to_move = effects.find_seats_to_move(state)
    return state


def _write_placed_tile(out: Writer, field: int, display: Display, slot: int) -> None:
    start = out.begin(field)
    out.number(fields.PlacedTile.TILE, display.tiles[slot] + 1)
    out.data(fields.PlacedTile.SQUARE, square_bytes(display.squares[slot]))
    out.number(fields.PlacedTile.FACE, face_number(display.exploded, slot))
    out.end(start)


def _write_seat(out: Writer, field: int, seat: SpringFestivalSeat) -> None:
    start = out.begin(field)
    for slot in range(len(seat.display.tiles)):
        _write_placed_tile(out, fields.SeatState.DISPLAY, seat.display, slot)
    out.number(fields.SeatState.TILE, seat.tile + 1)
    write_square(out, fields.SeatState.PLACEMENT, seat.placement)
    out.numbers(fields.SeatState.CARDS, seat.cards, 1)
    out.numbers(fields.SeatState.COMPLETED, seat.completed, 1)
    out.number(fields.SeatState.APPLAUSE, seat.applause)
    out.flag(fields.SeatState.LAUNCHED, seat.has_launched)
    out.flag(fields.SeatState.LEFT, seat.has_left)
    out.end(start)


def _decode_options(options: pb.Options, seat_count: int) -> SpringFestivalOptions:
    require(options.sign != 0, "options.sign", "it must be named")
    return decode_state_options(options, decode_options, seat_count)


def _decode_sign(sign: int) -> int:
    require(sign != pb.SIGN_RANDOM, "sign", "random is for options")
    known = state_number(sign, pb.SIGN_NONE, FIRST_SIGN + len(SIGNS) - 1, "sign")
    return NO_SIGN if known == pb.SIGN_NONE else known - FIRST_SIGN


def _decode_seats(seats: Sequence[pb.SeatState]) -> list[SpringFestivalSeat]:
    require(MIN_SEATS <= len(seats) <= MAX_SEATS, "seats", f"{MIN_SEATS} to {MAX_SEATS}, not {len(seats)}")
    return [_decode_seat(seat, f"seats[{number}].") for number, seat in enumerate(seats)]


def _decode_seat(message: pb.SeatState, path: str) -> SpringFestivalSeat:
    display = _decode_display(message.display, path)
    tile = state_number(message.tile, 0, len(TILES), "tile", path) - 1
    choice = _decode_square(message.placement, f"{path}placement") if message.HasField("placement") else NO_SQUARE
    seat = SpringFestivalSeat(
        display, _decode_cards(message.cards, f"{path}cards"), _decode_cards(message.completed, f"{path}completed")
    )
    seat.tile = tile
    seat.placement = choice
    seat.applause = state_number(message.applause, 0, MAX_APPLAUSE, "applause", path)
    seat.has_launched = message.launched
    seat.has_left = message.left
    return seat


def _decode_display(tiles: Sequence[pb.PlacedTile], path: str) -> Display:
    """The tiles in the order they were laid: each touches one before it by a side (FW-10, FW-22)."""
    require(len(tiles) <= MAX_TILES, f"{path}display", f"at most {MAX_TILES} tiles")
    display = empty_display()
    for number, tile in enumerate(tiles):
        _decode_placed_tile(tile, display, f"{path}display[{number}].")
    return display


def _decode_placed_tile(message: pb.PlacedTile, display: Display, path: str) -> None:
    tile = state_number(message.tile, 1, len(TILES), "tile", path) - 1
    require(message.HasField("square"), f"{path}square", "a square must be given")
    square = _decode_square(message.square, f"{path}square")
    require(display.is_free(square), f"{path}square", "it does not touch those before it by a side")
    slot = display.put_tile(tile, square)
    if state_number(message.face, pb.FACE_ROCKET, pb.FACE_EXPLODED, "face", path) == pb.FACE_EXPLODED:
        display.exploded |= 1 << slot


def _decode_square(square: pb.Square, path: str) -> int:
    x = state_number(square.x, -FARTHEST, FARTHEST, "x", f"{path}.")
    return square_at(x, state_number(square.y, -FARTHEST, FARTHEST, "y", f"{path}."))


def _decode_top_tiles(tops: Sequence[int]) -> list[int]:
    require(len(tops) == PILES, "tops", f"{PILES} piles")
    return [state_number(tile, 0, len(TILES), "tops") - 1 for tile in tops]


def _decode_tiles(tiles: Sequence[int], name: str) -> list[int]:
    return _decode_distinct_ids(tiles, len(TILES), name)


def _decode_cards(cards: Sequence[int], name: str) -> list[int]:
    return _decode_distinct_ids(cards, len(COMPOSITIONS), name)


def _decode_distinct_ids(ids: Sequence[int], most: int, name: str) -> list[int]:
    """The indices, from 0, of tiles or cards with these ids, from 1. Raises `InconsistentState` for equal ids."""
    require(len(ids) <= most, name, f"at most {most}")
    decoded = [state_number(each, 1, most, name) - 1 for each in ids]
    require(len(set(decoded)) == len(decoded), name, "an id is there twice")
    return decoded
