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
from engine_core.game import Move
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
from services.engine.codec import Codec, Nouns
from services.errors import InvalidRequest

PROFILES: Final = ["merged", "fr", "it"]
"""Names of the profiles in the order of their enum, from 1."""

KINDS: Final = 6
"""Kinds of attack cards."""
BULLS: Final = number_of(FULL_DECK, GREEN)
"""How many bulls there are of each colour."""
COUNTER_MOST: Final = 1000
"""No counter of a position comes near it."""


# Cards


def _attack_cards(cards: int) -> pb.AttackCards:
    return pb.AttackCards(
        blue=cards & 0xFF,
        yellow=cards >> 8 & 0xFF,
        brown=cards >> 16 & 0xFF,
        red=cards >> 24 & 0xFF,
        green=cards >> 32 & 0xFF,
        warrior=cards >> 40 & 0xFF,
    )


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


def _point_cards(counts: Sequence[int]) -> list[pb.PointCardCount]:
    return [POINT_CARD_COUNTS[card][count] for card, count in enumerate(counts) if count]


def _cards(squares: Sequence[int]) -> list[pb.PointCard.ValueType]:
    return [_point_card(card) for card in squares]


def _attack_card(card: int) -> pb.AttackCard.ValueType:
    return cast("pb.AttackCard.ValueType", card + 1)


def _point_card(card: int) -> pb.PointCard.ValueType:
    return cast("pb.PointCard.ValueType", card + 1)


POINT_CARD_COUNTS: Final = [
    [pb.PointCardCount(card=_point_card(card), count=count) for count in range(there_are + 1)]
    for card, there_are in enumerate(POINT_COUNTS)
]
"""Made once: a message that takes one of them copies it."""


# Moves


def _encode_qi(move: moves.Qi) -> pb.Move:
    seat = None if move.to == moves.TO_RESERVE else move.to
    return pb.Move(qi=pb.Qi(seat=seat, card=_attack_card(move.card)))


ENCODERS: Final = cast(
    dict[type[Move], Callable[[Move], pb.Move]],
    {
        moves.Take: lambda move: pb.Move(take=pb.Take(card=_attack_card(move.card))),
        moves.Draw: lambda move: pb.Move(draw=pb.Draw()),
        moves.Step: lambda move: pb.Move(step=pb.Step(to=move.to)),
        moves.Attack: lambda move: pb.Move(
            attack=pb.Attack(direction=move.direction, payment=_attack_cards(move.payment))
        ),
        moves.AttackGeneral: lambda move: pb.Move(general=pb.General(payment=_attack_cards(move.payment))),
        moves.Capture: lambda move: pb.Move(capture=pb.Capture(payment=_attack_cards(move.payment))),
        moves.Stop: lambda move: pb.Move(stop=pb.Stop()),
        moves.Power: lambda move: pb.Move(power=pb.Power(use=move.use)),
        moves.Price: lambda move: pb.Move(price=pb.Price(card=_point_card(move.card))),
        moves.Release: lambda move: pb.Move(release=pb.Release(card=_attack_card(move.card))),
        moves.Yen: lambda move: pb.Move(yen=pb.Yen(pile=move.pile, card=_point_card(move.card))),
        moves.Place: lambda move: pb.Move(place=pb.Place(seat=move.seat, direction=move.direction)),
        moves.First: lambda move: pb.Move(first=pb.First(seat=move.seat)),
        moves.Qi: _encode_qi,
        moves.Pick: lambda move: pb.Move(pick=pb.Pick(seat=move.seat, card=_attack_card(move.card))),
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


def _encode_options(state: FireBullsState) -> pb.Options:
    options = state.options
    return pb.Options(
        profile=cast("pb.Profile.ValueType", PROFILES.index(options.profile) + 1),
        colours=[cast("pb.Colour.ValueType", seat.colour + 1) for seat in state.seats],
        first_seat=None if options.first_seat == NO_SEAT else options.first_seat,
    )


def _encode_seat(seat: Seat) -> pb.SeatState:
    return pb.SeatState(
        place=seat.place,
        hand=_attack_cards(seat.hand),
        known=_attack_cards(seat.known),
        deck_at_most=_attack_cards(seat.at_most),
        victory=seat.victory,
        penalty=_point_card(seat.penalty),
        left=seat.left,
    )


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


def _encode_seat_view(seat: SeatView) -> pb.SeatView:
    return pb.SeatView(
        colour=cast("pb.Colour.ValueType", seat.colour + 1),
        place=seat.place,
        hand_size=seat.hand_size,
        hand=None if seat.hand == NO_HAND else _attack_cards(seat.hand),
        known=_attack_cards(seat.known),
        victory=_point_cards(seat.victory),
        won_this_turn=_point_cards(seat.won_now),
        penalty=_point_card(seat.penalty),
        left=seat.left,
    )


def _columns(view: FireBullsView) -> list[pb.Column]:
    return [pb.Column(pile_size=view.piles[pile], squares=_cards(view.squares[pile::PILES])) for pile in range(PILES)]


class FireBullsCodec(Codec[FireBullsState, Move, FireBullsOptions, FireBullsView]):
    """Fire Bulls in messages."""

    title = "Fire Bulls"
    game = FireBulls()
    service = verbs.DESCRIPTOR.services_by_name["FireBullsService"]
    bot_service = bots.DESCRIPTOR.services_by_name["FireBullsBotService"]
    nouns = Nouns(event=pb.Event, log_entry=pb.LogEntry, reveal=pb.Reveal, state=pb.State)

    def decode_options(self, message: Message) -> FireBullsOptions:
        return _decode_options(cast(pb.Options, message))

    def encode_state(self, state: FireBullsState) -> Message:
        return pb.State(
            options=_encode_options(state),
            stage=cast("pb.Stage.ValueType", state.stage),
            active_seat=state.active,
            seats=[_encode_seat(seat) for seat in state.seats],
            squares=_cards(state.squares),
            piles=state.piles,
            undrawn=state.undrawn,
            removed=state.removed,
            general=cast("pb.GeneralPlace.ValueType", state.general),
            general_winner=state.general_winner,
            deck=_attack_cards(state.deck),
            discards=_attack_cards(state.discards),
            reserve=_attack_cards(state.reserve),
            deck_at_most=_attack_cards(state.at_most),
            rebuilds=state.rebuilds,
            exhaustions=state.exhaustions,
            quiet_turns=state.quiet_turns,
            turn_is_lively=state.lively,
            direction=state.direction,
            captures=state.captures,
            capture_limit=state.capture_limit,
            warriors_owed=state.warriors_owed,
            power=_point_card(state.power),
            due=state.due,
            reason=state.reason,
            won_this_turn=state.won_now,
        )

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

    def encode_move(self, move: Move) -> Message:
        return ENCODERS[type(move)](move)

    def decode_move(self, message: Message) -> Move:
        source = cast(pb.Move, message)
        kind = source.WhichOneof("kind")
        if kind is None:
            raise InvalidRequest("move", "one kind of move must be given")
        return DECODERS[kind](source)

    def encode_view(self, view: FireBullsView) -> Message:
        return pb.View(
            profile=cast("pb.Profile.ValueType", PROFILES.index(view.profile) + 1),
            stage=cast("pb.Stage.ValueType", view.stage),
            active_seat=view.active,
            seats=[_encode_seat_view(seat) for seat in view.seats],
            columns=_columns(view),
            undrawn=_point_cards(view.undrawn),
            removed=_point_cards(view.removed),
            general=cast("pb.GeneralPlace.ValueType", view.general),
            general_winner=view.general_winner,
            deck_size=view.deck_size,
            deck_at_most=_attack_cards(view.at_most),
            discards=_attack_cards(view.discards),
            reserve=_attack_cards(view.reserve),
            exhaustions=view.exhaustions,
            quiet_turns=view.quiet_turns,
            direction=view.direction,
            captures=view.captures,
            capture_limit=view.capture_limit,
            warriors_owed=view.warriors_owed,
            power=_point_card(view.power),
        )
