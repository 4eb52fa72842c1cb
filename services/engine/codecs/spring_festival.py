"""The codec of Spring Festival. Tiles and cards are counted from 0 in the rules and from 1 in messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, cast

from fireside.spring_festival.v1 import spring_festival_bot_service_pb2 as bots
from fireside.spring_festival.v1 import spring_festival_pb2 as pb
from fireside.spring_festival.v1 import spring_festival_service_pb2 as verbs
from google.protobuf.message import Message

from engine_core.errors import InconsistentState, InvalidOption
from engine_core.game import Game, Move
from engine_core.games.spring_festival import consistency, flow, moves
from engine_core.games.spring_festival.compositions import COMPOSITIONS, TURNS, Complete, Composition
from engine_core.games.spring_festival.display import MOST_TILES, Display, empty_display
from engine_core.games.spring_festival.moves import MAX_SEATS
from engine_core.games.spring_festival.rules import SpringFestival
from engine_core.games.spring_festival.squares import FARTHEST, NO_SQUARE, column, row, square_at
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
from engine_core.games.spring_festival.tiles import (
    FIRST_STORE_TILE,
    MOST_APPLAUSE,
    PILES,
    ROUNDS,
    SIGNS,
    TILES,
    Tile,
)
from engine_core.games.spring_festival.view import DisplayView, SeatView, SpringFestivalView
from services.engine import wire
from services.engine.codec import Codec, Nouns
from services.engine.wire import Writer
from services.errors import InvalidRequest

FIRST_SIGN: Final = pb.SIGN_GOAT
"""Signs follow `SIGN_NONE` and `SIGN_RANDOM`."""


# Nouns


def _sign(sign: int) -> int:
    return pb.SIGN_NONE if sign == NO_SIGN else sign + FIRST_SIGN


def _square(square: int) -> bytes:
    written = SQUARES_WRITTEN.get(square)
    if written is None:
        written = SQUARES_WRITTEN[square] = wire.signed(1, column(square)) + wire.signed(2, row(square))
    return written


SQUARES_WRITTEN: Final[dict[int, bytes]] = {}
"""Those that were needed so far: a display has room for a thousand."""


def _named(field: int, square: int) -> bytes:
    """A field of a square, unless it is hidden."""
    return b"" if square == NO_SQUARE else wire.data(field, _square(square))


def _face(exploded: int, slot: int) -> int:
    return pb.FACE_EXPLODED if exploded >> slot & 1 else pb.FACE_ROCKET


def _printed(number: int, tile: Tile) -> bytes:
    out = Writer()
    out.number(1, number + 1)
    out.number(2, tile.colour + 1)
    out.number(3, tile.number)
    out.numbers(4, tile.arrows, 1)
    out.numbers(5, tile.sparks, 1)
    return out.done()


def _card(number: int, card: Composition) -> bytes:
    out = Writer()
    out.number(1, number + 1)
    out.number(2, card.kind + 1)
    out.number(3, card.points)
    for line in card.rows:
        out.text(4, line)
    return out.done()


PRINTED: Final[list[bytes]] = [_printed(number, tile) for number, tile in enumerate(TILES)]
CARDS: Final[list[bytes]] = [_card(number, card) for number, card in enumerate(COMPOSITIONS)]


# Moves


WRITERS: Final = cast(
    dict[type[Move], Callable[[Move], bytes]],
    {
        moves.Lay: lambda move: wire.data(1, wire.number(1, move.tile + 1) + _named(2, move.square)),
        moves.Orient: lambda move: wire.data(2, wire.number(1, move.offset)),
        moves.Place: lambda move: wire.data(3, _named(1, move.square)),
        Complete: lambda move: wire.data(
            4, wire.number(1, move.card + 1) + _named(2, move.corner) + wire.number(3, move.turns)
        ),
        moves.Pass: lambda move: wire.data(5),
        moves.Launch: lambda move: wire.data(6, _named(1, move.square)),
        moves.Reveal: lambda move: wire.data(7, wire.number(1, move.pile) + wire.number(2, move.tile + 1)),
        moves.Deal: lambda move: wire.data(8, wire.number(1, move.seat) + wire.number(2, move.card + 1)),
        moves.Sign: lambda move: wire.data(9, wire.number(1, _sign(move.sign))),
        moves.FirstSeat: lambda move: wire.data(10, wire.number(1, move.seat)),
    },
)


def _number(number: int, least: int, most: int, field: str) -> int:
    if not least <= number <= most:
        raise InvalidRequest(f"move.{field}", f"{least} to {most}, not {number}")
    return number


def _named_square(square: pb.Square, given: bool, field: str) -> int:
    if not given:
        raise InvalidRequest(f"move.{field}", "a square must be given")
    x = _number(square.x, -FARTHEST, FARTHEST, f"{field}.x")
    return square_at(x, _number(square.y, -FARTHEST, FARTHEST, f"{field}.y"))


def _decode_lay(move: pb.Move) -> Move:
    lay = move.lay
    if not lay.tile and not lay.HasField("square"):
        return moves.SEALED_LAY
    tile = _number(lay.tile, 1, FIRST_STORE_TILE, "lay.tile") - 1
    return moves.Lay(tile, _named_square(lay.square, lay.HasField("square"), "lay.square"))


def _decode_place(move: pb.Move) -> Move:
    place = move.place
    if not place.HasField("square"):
        return moves.SEALED_PLACE
    return moves.Place(_named_square(place.square, True, "place.square"))


def _decode_complete(move: pb.Move) -> Move:
    complete = move.complete
    return Complete(
        _number(complete.card, 1, len(COMPOSITIONS), "complete.card") - 1,
        _named_square(complete.corner, complete.HasField("corner"), "complete.corner"),
        _number(complete.turns, 0, TURNS - 1, "complete.turns"),
    )


def _decode_launch(move: pb.Move) -> Move:
    launch = move.launch
    return moves.Launch(_named_square(launch.square, launch.HasField("square"), "launch.square"))


def _decode_reveal(move: pb.Move) -> Move:
    pile = _number(move.reveal.pile, 0, PILES - 1, "reveal.pile")
    return moves.Reveal(pile, _number(move.reveal.tile, FIRST_STORE_TILE + 1, len(TILES), "reveal.tile") - 1)


def _decode_deal(move: pb.Move) -> Move:
    seat = _number(move.deal.seat, 0, MAX_SEATS - 1, "deal.seat")
    return moves.Deal(seat, _number(move.deal.card, 1, len(COMPOSITIONS), "deal.card") - 1)


def _decode_sign(move: pb.Move) -> Move:
    return moves.Sign(_number(move.sign.sign, FIRST_SIGN, FIRST_SIGN + len(SIGNS) - 1, "sign.sign") - FIRST_SIGN)


DECODERS: Final[dict[str, Callable[[pb.Move], Move]]] = {
    "lay": _decode_lay,
    "orient": lambda move: moves.Orient(_number(move.orient.offset, 0, PILES - 1, "orient.offset")),
    "place": _decode_place,
    "complete": _decode_complete,
    "pass_on": lambda move: moves.PASS,
    "launch": _decode_launch,
    "reveal": _decode_reveal,
    "deal": _decode_deal,
    "sign": _decode_sign,
    "first_seat": lambda move: moves.FirstSeat(_number(move.first_seat.seat, 0, MAX_SEATS - 1, "firstSeat.seat")),
}


# Options and states


def _decode_options(options: pb.Options) -> SpringFestivalOptions:
    sign = options.sign or pb.SIGN_NONE
    if not 1 <= sign <= len(SIGN_CHOICES):
        raise InvalidOption("options.sign", f"there is no sign {sign}")
    if options.HasField("first_seat") and options.first_seat < 0:
        raise InvalidOption("options.firstSeat", f"a seat, not {options.first_seat}")
    first = options.first_seat if options.HasField("first_seat") else NO_SEAT
    return SpringFestivalOptions(SIGN_CHOICES[sign - 1], options.extra_compositions, first)


def _options_written(options: SpringFestivalOptions) -> bytes:
    out = Writer()
    out.number(1, SIGN_CHOICES.index(options.sign) + 1)
    out.flag(2, options.extra_compositions)
    if options.first_seat != NO_SEAT:
        out.given(3, options.first_seat)
    return out.done()


def _placed_tile_written(display: Display, slot: int) -> bytes:
    out = Writer()
    out.number(1, display.tiles[slot] + 1)
    out.data(2, _square(display.squares[slot]))
    out.number(3, _face(display.exploded, slot))
    return out.done()


def _seat_written(seat: Seat) -> bytes:
    out = Writer()
    for slot in range(len(seat.display.tiles)):
        out.data(1, _placed_tile_written(seat.display, slot))
    out.number(2, seat.tile + 1)
    out.written(_named(3, seat.choice))
    out.numbers(4, seat.cards, 1)
    out.numbers(5, seat.completed, 1)
    out.number(6, seat.applause)
    out.flag(7, seat.launched)
    out.flag(8, seat.left)
    return out.done()


def _require(fact: bool, field: str, description: str) -> None:
    if not fact:
        raise InconsistentState(f"state.{field}", description)


def _within(number: int, least: int, most: int, field: str) -> int:
    if not least <= number <= most:
        raise InconsistentState(f"state.{field}", f"{least} to {most}, not {number}")
    return number


def _decode_list(numbers: Sequence[int], least: int, most: int, field: str) -> list[int]:
    """Tiles or cards, each at most once."""
    _require(len(numbers) <= most, field, f"at most {most}, not {len(numbers)}")
    decoded = [_within(number, least, most, field) - 1 for number in numbers]
    _require(len(set(decoded)) == len(decoded), field, "something is there twice")
    return decoded


def _tiles(numbers: Sequence[int], field: str) -> list[int]:
    return _decode_list(numbers, 1, len(TILES), field)


def _cards(numbers: Sequence[int], field: str) -> list[int]:
    return _decode_list(numbers, 1, len(COMPOSITIONS), field)


def _decode_square(square: pb.Square, field: str) -> int:
    x, y = square.x, square.y
    if max(abs(x), abs(y)) > FARTHEST:
        _within(x, -FARTHEST, FARTHEST, f"{field}.x")
        _within(y, -FARTHEST, FARTHEST, f"{field}.y")
    return square_at(x, y)


def _decode_display(tiles: Sequence[pb.PlacedTile], field: str) -> Display:
    """Every tile lies on a square that was free to be taken when those before it were there (FW-10, FW-22)."""
    _require(len(tiles) <= MOST_TILES, field, f"at most {MOST_TILES} tiles, not {len(tiles)}")
    display = empty_display()
    for number, laid in enumerate(tiles):
        where = f"{field}[{number}]"
        square = _decode_square(laid.square, f"{where}.square")
        _require(laid.HasField("square"), f"{where}.square", "a square must be given")
        _require(square in display.free(), f"{where}.square", "it does not touch those before it by a side")
        slot = display.lay(_within(laid.tile, 1, len(TILES), f"{where}.tile") - 1, square)
        if _within(laid.face, pb.FACE_ROCKET, pb.FACE_EXPLODED, f"{where}.face") == pb.FACE_EXPLODED:
            display.exploded |= 1 << slot
    return display


def _decode_seat(message: pb.SeatState, field: str) -> Seat:
    seat = Seat(
        _decode_display(message.display, f"{field}.display"),
        _cards(message.cards, f"{field}.cards"),
        _cards(message.completed, f"{field}.completed"),
    )
    seat.tile = _within(message.tile, 0, len(TILES), f"{field}.tile") - 1
    if message.HasField("placement"):
        seat.choice = _decode_square(message.placement, f"{field}.placement")
    seat.applause = _within(message.applause, 0, MOST_APPLAUSE, f"{field}.applause")
    seat.launched = message.launched
    seat.left = message.left
    return seat


def _decode_state_options(message: pb.State) -> SpringFestivalOptions:
    seats = len(message.seats)
    _require(MIN_SEATS <= seats <= MAX_SEATS, "seats", f"{MIN_SEATS} to {MAX_SEATS}, not {seats}")
    _require(message.options.sign != 0, "options.sign", "it must be named")
    try:
        options = _decode_options(message.options)
        options.check(seats)
    except InvalidOption as error:
        raise InconsistentState(f"state.{error.field}", error.description) from None
    return options


def _decode_sign_in_force(sign: int) -> int:
    _require(sign != pb.SIGN_RANDOM, "sign", "random is for options")
    known = _within(sign, pb.SIGN_NONE, FIRST_SIGN + len(SIGNS) - 1, "sign")
    return NO_SIGN if known == pb.SIGN_NONE else known - FIRST_SIGN


def _decode_tops(tops: Sequence[int]) -> list[int]:
    _require(len(tops) == PILES, "tops", f"{PILES} piles, not {len(tops)}")
    return [_within(tile, 0, len(TILES), "tops") - 1 for tile in tops]


def _decode_layout(message: pb.State) -> SpringFestivalState:
    """A state with its lists, and everything else as at the start."""
    return SpringFestivalState(
        _decode_state_options(message),
        [_decode_seat(seat, f"seats[{number}]") for number, seat in enumerate(message.seats)],
        _tiles(message.undrawn, "undrawn"),
        _cards(message.undrawn_patterns, "undrawnPatterns"),
        _cards(message.undrawn_colours, "undrawnColours"),
        _decode_tops(message.tops),
        _tiles(message.discards, "discards"),
        _tiles(message.replaced, "replaced"),
    )


# Views


def _shown_tile_written(display: DisplayView, slot: int) -> bytes:
    out = Writer()
    out.data(1, PRINTED[display.tiles[slot]])
    out.data(2, _square(display.squares[slot]))
    out.number(3, _face(display.exploded, slot))
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
    out.written(_named(6, seat.choice))
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


class SpringFestivalCodec(Codec[SpringFestivalState, Move, SpringFestivalOptions, SpringFestivalView]):
    """Spring Festival in messages."""

    title = "Spring Festival"
    game: Game[SpringFestivalState, Move, SpringFestivalOptions, SpringFestivalView] = SpringFestival()
    service = verbs.DESCRIPTOR.services_by_name["SpringFestivalService"]
    bot_service = bots.DESCRIPTOR.services_by_name["SpringFestivalBotService"]
    nouns = Nouns(move=pb.Move, event=pb.Event, log_entry=pb.LogEntry, state=pb.State, view=pb.View)

    def decode_options(self, message: Message) -> SpringFestivalOptions:
        return _decode_options(cast(pb.Options, message))

    def write_state(self, state: SpringFestivalState) -> bytes:
        out = Writer()
        out.data(1, _options_written(state.options))
        out.number(2, state.stage)
        out.number(3, state.round)
        out.number(4, state.active)
        out.number(5, state.composer)
        out.number(6, state.offset)
        out.number(7, _sign(state.sign))
        for seat in state.seats:
            out.data(8, _seat_written(seat))
        out.numbers(9, state.tops, 1)
        out.numbers(10, state.undrawn, 1)
        out.numbers(11, state.patterns, 1)
        out.numbers(12, state.colours, 1)
        out.numbers(13, state.discards, 1)
        out.numbers(14, state.replaced, 1)
        out.text(15, state.reason)
        return out.done()

    def decode_state(self, message: Message) -> SpringFestivalState:
        source = cast(pb.State, message)
        state = _decode_layout(source)
        seats = len(state.seats)
        state.stage = _within(source.stage, SETUP_STORE, OVER, "stage")
        state.round = _within(source.round, 0, ROUNDS, "round")
        state.active = _within(source.active_seat, NO_SEAT, seats - 1, "activeSeat")
        state.composer = _within(source.composing_seat, NO_SEAT, seats - 1, "composingSeat")
        state.offset = _within(source.offset, 0, PILES - 1, "offset")
        state.sign = _decode_sign_in_force(source.sign)
        state.reason = source.reason
        consistency.check_seats(state)
        state.owing = flow.owing(state)
        return state

    def check(self, state: SpringFestivalState) -> None:
        consistency.check(state)

    def write_move(self, move: Move) -> bytes:
        return WRITERS[type(move)](move)

    def decode_move(self, message: Message) -> Move:
        source = cast(pb.Move, message)
        kind = source.WhichOneof("kind")
        if kind is None:
            raise InvalidRequest("move", "one kind of move must be given")
        return DECODERS[kind](source)

    def write_view(self, view: SpringFestivalView) -> bytes:
        out = Writer()
        out.number(1, view.stage)
        out.number(2, view.round)
        out.number(3, view.active)
        out.number(4, view.composer)
        out.number(5, view.offset)
        out.number(6, _sign(view.sign))
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
