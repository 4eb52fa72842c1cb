"""The codec of Spring Festival. Tiles and cards are counted from 0 in the rules and from 1 in messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, cast

from fireside.spring_festival.v1 import spring_festival_bot_service_pb2 as bots
from fireside.spring_festival.v1 import spring_festival_pb2 as pb
from fireside.spring_festival.v1 import spring_festival_service_pb2 as verbs
from google.protobuf.message import Message

from engine_core.errors import InconsistentState, InvalidOption
from engine_core.game import Move
from engine_core.games.spring_festival import consistency, flow, moves
from engine_core.games.spring_festival.compositions import COMPOSITIONS, TURNS, Complete
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
from services.engine.codec import Codec, Nouns
from services.errors import InvalidRequest

FIRST_SIGN: Final = pb.SIGN_GOAT
"""Signs follow `SIGN_NONE` and `SIGN_RANDOM`."""


# Nouns


def _tile_id(tile: int) -> pb.TileId.ValueType:
    return cast("pb.TileId.ValueType", tile + 1)


def _tile_ids(tiles: Sequence[int]) -> list[pb.TileId.ValueType]:
    return [_tile_id(tile) for tile in tiles]


def _card_id(card: int) -> pb.CompositionId.ValueType:
    return cast("pb.CompositionId.ValueType", card + 1)


def _card_ids(cards: Sequence[int]) -> list[pb.CompositionId.ValueType]:
    return [_card_id(card) for card in cards]


def _sign(sign: int) -> pb.Sign.ValueType:
    return pb.SIGN_NONE if sign == NO_SIGN else cast("pb.Sign.ValueType", sign + FIRST_SIGN)


def _square(square: int) -> pb.Square | None:
    return None if square == NO_SQUARE else pb.Square(x=column(square), y=row(square))


def _face(exploded: int, slot: int) -> pb.Face.ValueType:
    return pb.FACE_EXPLODED if exploded >> slot & 1 else pb.FACE_ROCKET


def _directions(directions: Sequence[int]) -> list[pb.Direction.ValueType]:
    return [cast("pb.Direction.ValueType", direction + 1) for direction in directions]


def _printed(number: int, tile: Tile) -> pb.Tile:
    return pb.Tile(
        id=_tile_id(number),
        colour=cast("pb.Colour.ValueType", tile.colour + 1),
        number=tile.number,
        arrows=_directions(tile.arrows),
        sparks=_directions(tile.sparks),
    )


PRINTED: Final = [_printed(number, tile) for number, tile in enumerate(TILES)]
CARDS: Final = [
    pb.Composition(
        id=_card_id(number),
        kind=cast("pb.CompositionKind.ValueType", card.kind + 1),
        points=card.points,
        rows=card.rows,
    )
    for number, card in enumerate(COMPOSITIONS)
]


# Moves


ENCODERS: Final = cast(
    dict[type[Move], Callable[[Move], pb.Move]],
    {
        moves.Lay: lambda move: pb.Move(lay=pb.Lay(tile=_tile_id(move.tile), square=_square(move.square))),
        moves.Orient: lambda move: pb.Move(orient=pb.Orient(offset=move.offset)),
        moves.Place: lambda move: pb.Move(place=pb.Place(square=_square(move.square))),
        Complete: lambda move: pb.Move(
            complete=pb.Complete(card=_card_id(move.card), corner=_square(move.corner), turns=move.turns)
        ),
        moves.Pass: lambda move: pb.Move(pass_on=pb.Pass()),
        moves.Launch: lambda move: pb.Move(launch=pb.Launch(square=_square(move.square))),
        moves.Reveal: lambda move: pb.Move(reveal=pb.RevealTile(pile=move.pile, tile=_tile_id(move.tile))),
        moves.Deal: lambda move: pb.Move(deal=pb.Deal(seat=move.seat, card=_card_id(move.card))),
        moves.Sign: lambda move: pb.Move(sign=pb.SignDraw(sign=_sign(move.sign))),
        moves.FirstSeat: lambda move: pb.Move(first_seat=pb.FirstSeat(seat=move.seat)),
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


def _encode_options(options: SpringFestivalOptions) -> pb.Options:
    return pb.Options(
        sign=cast("pb.Sign.ValueType", SIGN_CHOICES.index(options.sign) + 1),
        extra_compositions=options.extra_compositions,
        first_seat=None if options.first_seat == NO_SEAT else options.first_seat,
    )


def _encode_seat(seat: Seat) -> pb.SeatState:
    display = seat.display
    return pb.SeatState(
        display=[
            pb.PlacedTile(tile=_tile_id(tile), square=_square(square), face=_face(display.exploded, slot))
            for slot, (tile, square) in enumerate(zip(display.tiles, display.squares, strict=True))
        ],
        tile=_tile_id(seat.tile),
        placement=_square(seat.choice),
        cards=_card_ids(seat.cards),
        completed=_card_ids(seat.completed),
        applause=seat.applause,
        launched=seat.launched,
        left=seat.left,
    )


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
    x = _within(square.x, -FARTHEST, FARTHEST, f"{field}.x")
    return square_at(x, _within(square.y, -FARTHEST, FARTHEST, f"{field}.y"))


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


def _encode_display(display: DisplayView) -> list[pb.DisplayTile]:
    return [
        pb.DisplayTile(tile=PRINTED[tile], square=_square(square), face=_face(display.exploded, slot))
        for slot, (tile, square) in enumerate(zip(display.tiles, display.squares, strict=True))
    ]


def _known(tile: int) -> pb.Tile | None:
    return None if tile < 0 else PRINTED[tile]


def _encode_seat_view(seat: SeatView) -> pb.SeatView:
    return pb.SeatView(
        display=_encode_display(seat.display),
        laid=seat.laid,
        unlaid=[PRINTED[tile] for tile in seat.unlaid],
        tile=_known(seat.tile),
        committed=seat.committed,
        placement=_square(seat.choice),
        cards=[CARDS[card] for card in seat.cards],
        completed=[CARDS[card] for card in seat.completed],
        applause=seat.applause,
        launched=seat.launched,
        left=seat.left,
    )


class SpringFestivalCodec(Codec[SpringFestivalState, Move, SpringFestivalOptions, SpringFestivalView]):
    """Spring Festival in messages."""

    title = "Spring Festival"
    game = SpringFestival()
    service = verbs.DESCRIPTOR.services_by_name["SpringFestivalService"]
    bot_service = bots.DESCRIPTOR.services_by_name["SpringFestivalBotService"]
    nouns = Nouns(event=pb.Event, log_entry=pb.LogEntry, reveal=pb.Reveal, state=pb.State)

    def decode_options(self, message: Message) -> SpringFestivalOptions:
        return _decode_options(cast(pb.Options, message))

    def encode_state(self, state: SpringFestivalState) -> Message:
        return pb.State(
            options=_encode_options(state.options),
            stage=cast("pb.Stage.ValueType", state.stage),
            round=state.round,
            active_seat=state.active,
            composing_seat=state.composer,
            offset=state.offset,
            sign=_sign(state.sign),
            seats=[_encode_seat(seat) for seat in state.seats],
            tops=_tile_ids(state.tops),
            undrawn=_tile_ids(state.undrawn),
            undrawn_patterns=_card_ids(state.patterns),
            undrawn_colours=_card_ids(state.colours),
            discards=_tile_ids(state.discards),
            replaced=_tile_ids(state.replaced),
            reason=state.reason,
        )

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

    def encode_move(self, move: Move) -> Message:
        return ENCODERS[type(move)](move)

    def decode_move(self, message: Message) -> Move:
        source = cast(pb.Move, message)
        kind = source.WhichOneof("kind")
        if kind is None:
            raise InvalidRequest("move", "one kind of move must be given")
        return DECODERS[kind](source)

    def encode_view(self, view: SpringFestivalView) -> Message:
        return pb.View(
            stage=cast("pb.Stage.ValueType", view.stage),
            round=view.round,
            active_seat=view.active,
            composing_seat=view.composer,
            offset=view.offset,
            sign=_sign(view.sign),
            seats=[_encode_seat_view(seat) for seat in view.seats],
            piles=[pb.Pile(size=size, top=_known(top)) for size, top in zip(view.pile_sizes, view.tops, strict=True)],
            undrawn=_tile_ids(view.undrawn),
            undrawn_patterns=_card_ids(view.patterns),
            undrawn_colours=_card_ids(view.colours),
            discards=_tile_ids(view.discards),
            replaced=_tile_ids(view.replaced),
            unused_start_tiles=_tile_ids(view.unused),
        )
