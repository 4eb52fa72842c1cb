"""States of Spring Festival in messages."""

from __future__ import annotations

from fireside.spring_festival.v1 import spring_festival_pb2 as pb

from engine_core.errors import InconsistentState
from engine_core.games.spring_festival import consistency, flow
from engine_core.games.spring_festival.compositions import COMPOSITIONS
from engine_core.games.spring_festival.display import MOST_TILES, Display, empty_display
from engine_core.games.spring_festival.moves import MAX_SEATS
from engine_core.games.spring_festival.squares import FARTHEST, NO_SQUARE, square_at
from engine_core.games.spring_festival.state import (
    MIN_SEATS,
    NO_SEAT,
    NO_SIGN,
    OVER,
    SETUP_STORE,
    SIGN_CHOICES,
    Seat,
    SpringFestivalOptions,
    SpringFestivalState,
)
from engine_core.games.spring_festival.tiles import MOST_APPLAUSE, PILES, ROUNDS, SIGNS, TILES
from services.engine.codecs.ranges import decoded_options, require, within
from services.engine.codecs.spring_festival.nouns import (
    FIRST_SIGN,
    face_number,
    sign_number,
    square_written,
    write_square,
)
from services.engine.codecs.spring_festival.options import decode_options
from services.engine.wire import Reader, Writer


def write_state(state: SpringFestivalState) -> bytes:
    """A `State`, without the version of the rules."""
    out = Writer()
    _write_options(out, 1, state.options)
    out.number(2, state.stage)
    out.number(3, state.round)
    out.number(4, state.active)
    out.number(5, state.composer)
    out.number(6, state.offset)
    out.number(7, sign_number(state.sign))
    for seat in state.seats:
        _write_seat(out, 8, seat)
    out.numbers(9, state.tops, 1)
    out.numbers(10, state.undrawn, 1)
    out.numbers(11, state.patterns, 1)
    out.numbers(12, state.colours, 1)
    out.numbers(13, state.discards, 1)
    out.numbers(14, state.replaced, 1)
    out.text(15, state.reason)
    return out.done()


def read_state(fields: Reader) -> SpringFestivalState:
    """What a `State` tells. Raises `InconsistentState`."""
    options = pb.Options.FromString(fields.data(1))
    stage = within(fields.number(2), SETUP_STORE, OVER, "stage")
    round_number = within(fields.number(3), 0, ROUNDS, "round")
    active, composer = fields.number(4), fields.number(5)
    offset = within(fields.number(6), 0, PILES - 1, "offset")
    sign = _checked_sign(fields.number(7))
    seats = _read_seats(fields)
    last = len(seats) - 1
    decoded = _checked_options(options, len(seats))
    tops = _read_tops(fields)
    undrawn = _read_tiles(fields, 10, "undrawn")
    patterns = _read_cards(fields, 11, "undrawnPatterns")
    colours = _read_cards(fields, 12, "undrawnColours")
    discards = _read_tiles(fields, 13, "discards")
    replaced = _read_tiles(fields, 14, "replaced")
    state = SpringFestivalState(decoded, seats, undrawn, patterns, colours, tops, discards, replaced)
    state.stage = stage
    state.round = round_number
    state.active = within(active, NO_SEAT, last, "activeSeat")
    state.composer = within(composer, NO_SEAT, last, "composingSeat")
    state.offset = offset
    state.sign = sign
    state.reason = fields.text(15)
    consistency.check_seats(state)
    state.owing = flow.owing(state)
    return state


def _write_options(out: Writer, field: int, options: SpringFestivalOptions) -> None:
    place = out.begin(field)
    out.number(1, SIGN_CHOICES.index(options.sign) + 1)
    out.flag(2, options.extra_compositions)
    if options.first_seat != NO_SEAT:
        out.given(3, options.first_seat)
    out.end(place)


def _write_placed_tile(out: Writer, field: int, display: Display, slot: int) -> None:
    place = out.begin(field)
    out.number(1, display.tiles[slot] + 1)
    out.data(2, square_written(display.squares[slot]))
    out.number(3, face_number(display.exploded, slot))
    out.end(place)


def _write_seat(out: Writer, field: int, seat: Seat) -> None:
    place = out.begin(field)
    for slot in range(len(seat.display.tiles)):
        _write_placed_tile(out, 1, seat.display, slot)
    out.number(2, seat.tile + 1)
    write_square(out, 3, seat.choice)
    out.numbers(4, seat.cards, 1)
    out.numbers(5, seat.completed, 1)
    out.number(6, seat.applause)
    out.flag(7, seat.launched)
    out.flag(8, seat.left)
    out.end(place)


def _checked_options(options: pb.Options, seats: int) -> SpringFestivalOptions:
    require(options.sign != 0, "options.sign", "it must be named")
    return decoded_options(options, decode_options, seats)


def _checked_sign(sign: int) -> int:
    require(sign != pb.SIGN_RANDOM, "sign", "random is for options")
    known = within(sign, pb.SIGN_NONE, FIRST_SIGN + len(SIGNS) - 1, "sign")
    return NO_SIGN if known == pb.SIGN_NONE else known - FIRST_SIGN


def _read_seats(fields: Reader) -> list[Seat]:
    seats: list[Seat] = []
    while fields.enter(8):
        require(len(seats) < MAX_SEATS, "seats", f"at most {MAX_SEATS}")
        seats.append(_read_seat(fields, f"seats[{len(seats)}]."))
        fields.leave()
    require(len(seats) >= MIN_SEATS, "seats", f"{MIN_SEATS} to {MAX_SEATS}, not {len(seats)}")
    return seats


def _read_seat(fields: Reader, of: str) -> Seat:
    display = _read_display(fields, of)
    tile = within(fields.number(2), 0, len(TILES), "tile", of) - 1
    choice = _read_square(fields, 3, of, "placement")
    seat = Seat(display, _read_cards(fields, 4, f"{of}cards"), _read_cards(fields, 5, f"{of}completed"))
    seat.tile = tile
    seat.choice = choice
    seat.applause = within(fields.number(6), 0, MOST_APPLAUSE, "applause", of)
    seat.launched = fields.flag(7)
    seat.left = fields.flag(8)
    return seat


def _read_display(fields: Reader, of: str) -> Display:
    """Every tile lies on a square that was free to be taken when those before it were there (FW-10, FW-22)."""
    display = empty_display()
    while fields.enter(1):
        number = len(display.tiles)
        if number == MOST_TILES:
            raise InconsistentState(f"state.{of}display", f"at most {MOST_TILES} tiles")
        _read_placed_tile(fields, display, f"{of}display[{number}].")
        fields.leave()
    return display


def _read_placed_tile(fields: Reader, display: Display, of: str) -> None:
    tile = within(fields.number(1), 1, len(TILES), "tile", of) - 1
    square = _read_square(fields, 2, of, "square")
    if square == NO_SQUARE:
        raise InconsistentState(f"state.{of}square", "a square must be given")
    if not display.is_free(square):
        raise InconsistentState(f"state.{of}square", "it does not touch those before it by a side")
    slot = display.lay(tile, square)
    if within(fields.number(3), pb.FACE_ROCKET, pb.FACE_EXPLODED, "face", of) == pb.FACE_EXPLODED:
        display.exploded |= 1 << slot


def _read_square(fields: Reader, field: int, of: str, name: str) -> int:
    """A square, or `NO_SQUARE` where there is none."""
    if not fields.enter(field):
        return NO_SQUARE
    x, y = fields.signed(1), fields.signed(2)
    fields.leave()
    if max(abs(x), abs(y)) > FARTHEST:
        within(x, -FARTHEST, FARTHEST, f"{name}.x", of)
        within(y, -FARTHEST, FARTHEST, f"{name}.y", of)
    return square_at(x, y)


def _read_tops(fields: Reader) -> list[int]:
    tops = fields.numbers(9, PILES)
    require(len(tops) == PILES, "tops", f"{PILES} piles")
    return [within(tile, 0, len(TILES), "tops") - 1 for tile in tops]


def _read_tiles(fields: Reader, field: int, name: str) -> list[int]:
    return _listed(fields.numbers(field, len(TILES)), len(TILES), name)


def _read_cards(fields: Reader, field: int, name: str) -> list[int]:
    return _listed(fields.numbers(field, len(COMPOSITIONS)), len(COMPOSITIONS), name)


def _listed(numbers: list[int], most: int, name: str) -> list[int]:
    """Tiles or cards, each at most once."""
    if len(numbers) > most:
        raise InconsistentState(f"state.{name}", f"at most {most}")
    listed = [within(number, 1, most, name) - 1 for number in numbers]
    if len(set(listed)) != len(listed):
        raise InconsistentState(f"state.{name}", "something is there twice")
    return listed
