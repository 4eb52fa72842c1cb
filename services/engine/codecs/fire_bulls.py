"""The codec of Fire Bulls. Kinds of cards are counted from 0 in the rules and from 1 in messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import gt
from typing import Final, cast

from fireside.fire_bulls.v1 import fire_bulls_bot_service_pb2 as bots
from fireside.fire_bulls.v1 import fire_bulls_pb2 as pb
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from google.protobuf.message import Message

from engine_core.errors import InconsistentState, InvalidOption
from engine_core.game import Game, Move
from engine_core.games.fire_bulls import consistency, moves
from engine_core.games.fire_bulls.cards import (
    COLOURS,
    DIRECTIONS,
    FULL_DECK,
    GREEN,
    PILE_SIZE,
    PILES,
    POINT_COUNTS,
    POINT_KINDS,
    SQUARES,
    WARRIORS,
    number_of,
)
from engine_core.games.fire_bulls.rules import FireBulls
from engine_core.games.fire_bulls.state import (
    GENERAL_HIDDEN,
    GENERAL_WON,
    MAX_SEATS,
    MIN_SEATS,
    NO_SEAT,
    OVER,
    SETUP_YEN,
    FireBullsOptions,
    FireBullsState,
    Seat,
)
from engine_core.games.fire_bulls.view import NO_HAND, FireBullsView, SeatView
from services.engine import wire
from services.engine.codec import Codec, Nouns
from services.engine.wire import Writer
from services.errors import InvalidRequest

PROFILES: Final = ["merged", "fr", "it"]
"""Names of the profiles in the order of their enum, from 1."""

KINDS: Final = 6
"""Kinds of attack cards."""
WIDTH: Final = 8
"""Bits of the count of a kind in packed cards."""
BULLS: Final = number_of(FULL_DECK, GREEN)
"""How many bulls there are of each colour."""
COUNTER_MOST: Final = 1000
"""No counter of a position comes near it."""


# Cards


def _packed(cards: pb.AttackCards) -> int:
    """The cards as one number; -1 when a count is out of range."""
    blue, yellow, brown, red, green, warrior = (
        cards.blue,
        cards.yellow,
        cards.brown,
        cards.red,
        cards.green,
        cards.warrior,
    )
    least, most = min(blue, yellow, brown, red, green, warrior), max(blue, yellow, brown, red, green)
    if least < 0 or most > BULLS or warrior > WARRIORS:
        return -1
    return blue | yellow << 8 | brown << 16 | red << 24 | green << 32 | warrior << 40


def _write_point_cards(out: Writer, field: int, counts: list[int]) -> None:
    for card, count in enumerate(counts):
        if count:
            out.data(field, POINT_CARD_COUNTS[card][count])


POINT_CARD_COUNTS: Final[list[list[bytes]]] = [
    [wire.number(1, card + 1) + wire.number(2, count) for count in range(there_are + 1)]
    for card, there_are in enumerate(POINT_COUNTS)
]


# Moves


def _write_qi(move: moves.Qi) -> bytes:
    seat = b"" if move.to == moves.TO_RESERVE else wire.given(1, move.to)
    return wire.data(14, seat + wire.number(2, move.card + 1))


WRITERS: Final = cast(
    dict[type[Move], Callable[[Move], bytes]],
    {
        moves.Take: lambda move: wire.data(1, wire.number(1, move.card + 1)),
        moves.Draw: lambda move: wire.data(2),
        moves.Step: lambda move: wire.data(3, wire.number(1, move.to)),
        moves.Attack: lambda move: wire.data(
            4, wire.number(1, move.direction) + wire.counts(2, move.payment, KINDS, WIDTH)
        ),
        moves.AttackGeneral: lambda move: wire.data(5, wire.counts(1, move.payment, KINDS, WIDTH)),
        moves.Capture: lambda move: wire.data(6, wire.counts(1, move.payment, KINDS, WIDTH)),
        moves.Stop: lambda move: wire.data(7),
        moves.Power: lambda move: wire.data(8, wire.number(1, move.use)),
        moves.Price: lambda move: wire.data(9, wire.number(1, move.card + 1)),
        moves.Release: lambda move: wire.data(10, wire.number(1, move.card + 1)),
        moves.Yen: lambda move: wire.data(11, wire.number(1, move.pile) + wire.number(2, move.card + 1)),
        moves.Place: lambda move: wire.data(12, wire.number(1, move.seat) + wire.number(2, move.direction)),
        moves.First: lambda move: wire.data(13, wire.number(1, move.seat)),
        moves.Qi: _write_qi,
        moves.Pick: lambda move: wire.data(15, wire.number(1, move.seat) + wire.number(2, move.card + 1)),
    },
)


def _number(number: int, least: int, most: int, field: str) -> int:
    if not least <= number <= most:
        raise InvalidRequest(f"move.{field}", f"{least} to {most}, not {number}")
    return number


def _kind(card: int, kinds: int, field: str) -> int:
    """A card that must be known."""
    if not 1 <= card <= kinds:
        raise InvalidRequest(f"move.{field}", "no such card" if card else "a card must be named")
    return card - 1


def _seen(card: int, field: str) -> int:
    """A card that may be hidden."""
    return _number(card, 0, KINDS, field) - 1


def _payment(cards: pb.AttackCards, field: str) -> int:
    payment = _packed(cards)
    if payment <= 0:
        raise InvalidRequest(f"move.{field}", "at least one card, and of each kind at most as many as there are")
    return payment


def _direction(number: int, field: str) -> int:
    return _number(number, 1, DIRECTIONS, field)


def _seat(number: int, field: str) -> int:
    return _number(number, 0, MAX_SEATS - 1, field)


def _decode_qi(move: pb.Move) -> Move:
    qi = move.qi
    to = _seat(qi.seat, "qi.seat") if qi.HasField("seat") else moves.TO_RESERVE
    return moves.Qi(to, _seen(qi.card, "qi.card"))


DECODERS: Final[dict[str, Callable[[pb.Move], Move]]] = {
    "take": lambda move: moves.Take(_kind(move.take.card, KINDS, "take.card")),
    "draw": lambda move: moves.DRAW,
    "step": lambda move: moves.Step(_direction(move.step.to, "step.to")),
    "attack": lambda move: moves.Attack(
        _direction(move.attack.direction, "attack.direction"), _payment(move.attack.payment, "attack.payment")
    ),
    "general": lambda move: moves.AttackGeneral(_payment(move.general.payment, "general.payment")),
    "capture": lambda move: moves.Capture(_payment(move.capture.payment, "capture.payment")),
    "stop": lambda move: moves.STOP,
    "power": lambda move: moves.Power(move.power.use),
    "price": lambda move: moves.Price(_kind(move.price.card, POINT_KINDS, "price.card")),
    "release": lambda move: moves.Release(_kind(move.release.card, KINDS, "release.card")),
    "yen": lambda move: moves.Yen(
        _number(move.yen.pile, 1, PILES, "yen.pile"), _kind(move.yen.card, POINT_KINDS, "yen.card")
    ),
    "place": lambda move: moves.Place(
        _seat(move.place.seat, "place.seat"), _direction(move.place.direction, "place.direction")
    ),
    "first": lambda move: moves.First(_seat(move.first.seat, "first.seat")),
    "qi": _decode_qi,
    "pick": lambda move: moves.Pick(_seat(move.pick.seat, "pick.seat"), _seen(move.pick.card, "pick.card")),
}


# Options and states


def _decode_options(options: pb.Options) -> FireBullsOptions:
    profile = options.profile or 1
    if not 1 <= profile <= len(PROFILES):
        raise InvalidOption("options.profile", f"there is no profile {profile}")
    if len(options.colours) > MAX_SEATS:
        raise InvalidOption("options.colours", f"at most {MAX_SEATS}")
    if not all(1 <= colour <= len(COLOURS) for colour in options.colours):
        raise InvalidOption("options.colours", "a colour that is none of the five")
    first = options.first_seat if options.HasField("first_seat") else NO_SEAT
    if options.HasField("first_seat") and first < 0:
        raise InvalidOption("options.firstSeat", f"a seat, not {first}")
    return FireBullsOptions(PROFILES[profile - 1], tuple([colour - 1 for colour in options.colours]), first)


def _options_written(state: FireBullsState) -> bytes:
    out = Writer()
    out.number(1, PROFILES.index(state.options.profile) + 1)
    out.numbers(2, [seat.colour for seat in state.seats], 1)
    if state.options.first_seat != NO_SEAT:
        out.given(3, state.options.first_seat)
    return out.done()


def _seat_written(seat: Seat) -> bytes:
    out = Writer()
    out.number(1, seat.place)
    out.counts(2, seat.hand, KINDS, WIDTH)
    out.counts(3, seat.known, KINDS, WIDTH)
    out.counts(4, seat.at_most, KINDS, WIDTH)
    out.numbers(5, seat.victory)
    out.number(6, seat.penalty + 1)
    out.flag(7, seat.left)
    return out.done()


def _require(fact: bool, field: str, description: str) -> None:
    if not fact:
        raise InconsistentState(f"state.{field}", description)


def _within(number: int, least: int, most: int, field: str) -> int:
    if not least <= number <= most:
        raise InconsistentState(f"state.{field}", f"{least} to {most}, not {number}")
    return number


def _counter(number: int, field: str) -> int:
    return _within(number, 0, COUNTER_MOST, field)


def _pack(cards: pb.AttackCards, field: str) -> int:
    packed = _packed(cards)
    if packed < 0:
        raise InconsistentState(f"state.{field}", "counts below 0, or above what there is of a kind")
    return packed


def _counts(counts: Sequence[int], field: str) -> list[int]:
    """Numbers of the point cards of each kind."""
    _require(len(counts) == POINT_KINDS, field, f"{POINT_KINDS} numbers, not {len(counts)}")
    numbers = list(counts)
    if min(numbers) < 0 or any(map(gt, numbers, POINT_COUNTS)):
        raise InconsistentState(f"state.{field}", "numbers below 0, or above what there is of a kind")
    return numbers


def _decode_state_options(options: pb.Options) -> FireBullsOptions:
    seats = len(options.colours)
    _require(MIN_SEATS <= seats <= MAX_SEATS, "options.colours", f"{MIN_SEATS} to {MAX_SEATS}, one a seat")
    _require(options.profile != 0, "options.profile", "it must be named")
    try:
        decoded = _decode_options(options)
        decoded.check(seats)
    except InvalidOption as error:
        raise InconsistentState(f"state.{error.field}", error.description) from None
    return decoded


def _decode_seat(seat: pb.SeatState, colour: int, field: str) -> Seat:
    return Seat(
        colour,
        _within(seat.place, 0, DIRECTIONS, f"{field}.place"),
        _pack(seat.hand, f"{field}.hand"),
        _pack(seat.known, f"{field}.known"),
        _pack(seat.deck_at_most, f"{field}.deckAtMost"),
        _counts(seat.victory, f"{field}.victory"),
        _within(seat.penalty, 0, POINT_KINDS, f"{field}.penalty") - 1,
        seat.left,
    )


def _decode_squares(squares: Sequence[int]) -> list[int]:
    _require(len(squares) == SQUARES, "squares", f"{SQUARES} squares, not {len(squares)}")
    return [_within(card, 0, POINT_KINDS, "squares") - 1 for card in squares]


def _decode_piles(piles: Sequence[int]) -> list[int]:
    _require(len(piles) == PILES, "piles", f"{PILES} piles, not {len(piles)}")
    return [_within(pile, 0, PILE_SIZE, "piles") for pile in piles]


def _decode_layout(message: pb.State) -> FireBullsState:
    """A state with its lists, and everything else as at the start."""
    options = _decode_state_options(message.options)
    colours = options.colours
    _require(len(message.seats) == len(colours), "seats", f"{len(colours)}, one a colour, not {len(message.seats)}")
    return FireBullsState(
        options,
        [_decode_seat(message.seats[seat], colour, f"seats[{seat}]") for seat, colour in enumerate(colours)],
        _decode_squares(message.squares),
        _decode_piles(message.piles),
        _counts(message.undrawn, "undrawn"),
        _counts(message.removed, "removed"),
        _counts(message.won_this_turn, "wonThisTurn"),
    )


# Views


def _seat_view_written(seat: SeatView) -> bytes:
    out = Writer()
    out.number(1, seat.colour + 1)
    out.number(2, seat.place)
    out.number(3, seat.hand_size)
    if seat.hand != NO_HAND:
        out.counts(4, seat.hand, KINDS, WIDTH)
    out.counts(5, seat.known, KINDS, WIDTH)
    _write_point_cards(out, 6, seat.victory)
    _write_point_cards(out, 7, seat.won_now)
    out.number(8, seat.penalty + 1)
    out.flag(9, seat.left)
    return out.done()


def _column_written(view: FireBullsView, pile: int) -> bytes:
    out = Writer()
    out.number(1, view.piles[pile])
    out.numbers(2, view.squares[pile::PILES], 1)
    return out.done()


class FireBullsCodec(Codec[FireBullsState, Move, FireBullsOptions, FireBullsView]):
    """Fire Bulls in messages."""

    title = "Fire Bulls"
    game: Game[FireBullsState, Move, FireBullsOptions, FireBullsView] = FireBulls()
    service = verbs.DESCRIPTOR.services_by_name["FireBullsService"]
    bot_service = bots.DESCRIPTOR.services_by_name["FireBullsBotService"]
    nouns = Nouns(move=pb.Move, event=pb.Event, log_entry=pb.LogEntry, state=pb.State, view=pb.View)

    def decode_options(self, message: Message) -> FireBullsOptions:
        return _decode_options(cast(pb.Options, message))

    def write_state(self, state: FireBullsState) -> bytes:
        out = Writer()
        out.data(1, _options_written(state))
        out.number(2, state.stage)
        out.number(3, state.active)
        for seat in state.seats:
            out.data(4, _seat_written(seat))
        out.numbers(5, state.squares, 1)
        out.numbers(6, state.piles)
        out.numbers(7, state.undrawn)
        out.numbers(8, state.removed)
        out.number(9, state.general)
        out.counts(10, state.deck, KINDS, WIDTH)
        out.counts(11, state.discards, KINDS, WIDTH)
        out.counts(12, state.reserve, KINDS, WIDTH)
        out.counts(13, state.at_most, KINDS, WIDTH)
        out.number(14, state.rebuilds)
        out.number(15, state.exhaustions)
        out.number(16, state.quiet_turns)
        out.flag(17, state.lively)
        out.number(18, state.direction)
        out.number(19, state.captures)
        out.number(20, state.capture_limit)
        out.number(21, state.warriors_owed)
        out.number(22, state.power + 1)
        out.number(23, state.due)
        out.text(24, state.reason)
        out.numbers(25, state.won_now)
        out.number(26, state.general_winner)
        return out.done()

    def decode_state(self, message: Message) -> FireBullsState:
        source = cast(pb.State, message)
        state = _decode_layout(source)
        state.stage = _within(source.stage, SETUP_YEN, OVER, "stage")
        state.active = _within(source.active_seat, NO_SEAT, len(state.seats) - 1, "activeSeat")
        state.general = _within(source.general, GENERAL_HIDDEN, GENERAL_WON, "general")
        state.general_winner = _within(source.general_winner, NO_SEAT, len(state.seats) - 1, "generalWinner")
        state.deck = _pack(source.deck, "deck")
        state.discards = _pack(source.discards, "discards")
        state.reserve = _pack(source.reserve, "reserve")
        state.at_most = _pack(source.deck_at_most, "deckAtMost")
        state.rebuilds = _counter(source.rebuilds, "rebuilds")
        state.exhaustions = _counter(source.exhaustions, "exhaustions")
        state.quiet_turns = _counter(source.quiet_turns, "quietTurns")
        state.lively = source.turn_is_lively
        state.direction = _within(source.direction, 0, DIRECTIONS, "direction")
        state.captures = _counter(source.captures, "captures")
        state.capture_limit = _counter(source.capture_limit, "captureLimit")
        state.warriors_owed = _counter(source.warriors_owed, "warriorsOwed")
        state.power = _within(source.power, 0, POINT_KINDS, "power") - 1
        state.due = _counter(source.due, "due")
        state.reason = source.reason
        return state

    def check(self, state: FireBullsState) -> None:
        consistency.check(state)

    def write_move(self, move: Move) -> bytes:
        return WRITERS[type(move)](move)

    def decode_move(self, message: Message) -> Move:
        source = cast(pb.Move, message)
        kind = source.WhichOneof("kind")
        if kind is None:
            raise InvalidRequest("move", "one kind of move must be given")
        return DECODERS[kind](source)

    def write_view(self, view: FireBullsView) -> bytes:
        out = Writer()
        out.number(1, PROFILES.index(view.profile) + 1)
        out.number(2, view.stage)
        out.number(3, view.active)
        for seat in view.seats:
            out.data(4, _seat_view_written(seat))
        for pile in range(PILES):
            out.data(5, _column_written(view, pile))
        _write_point_cards(out, 6, view.undrawn)
        _write_point_cards(out, 7, view.removed)
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
