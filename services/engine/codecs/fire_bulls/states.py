"""Converts states of Fire Bulls to `State` messages and back."""

from __future__ import annotations

from collections.abc import Sequence

from fireside.fire_bulls.v1 import field_numbers as fields
from fireside.fire_bulls.v1 import fire_bulls_pb2 as pb

from engine_core.games.fire_bulls.components import (
    DIRECTIONS,
    NO_POINT_CARDS,
    PILE_SIZE,
    PILES,
    POINT_COUNTS,
    POINT_KINDS,
    SQUARES,
)
from engine_core.games.fire_bulls.stages import OVER, SETUP_YEN
from engine_core.games.fire_bulls.state import (
    GENERAL_HIDDEN,
    GENERAL_WON,
    MAX_SEATS,
    MIN_SEATS,
    NO_SEAT,
    FireBullsOptions,
    FireBullsSeat,
    FireBullsState,
)
from services.engine.codecs.fire_bulls.cards import COUNT_BITS, packed_cards
from services.engine.codecs.fire_bulls.options import PROFILES, decode_options
from services.engine.codecs.ranges import decode_state_options, require, state_counter, state_number
from services.engine.wire import Writer


def write_state(state: FireBullsState) -> bytes:
    """The bytes of a `State` without its `rules_version`."""
    out = Writer()
    _write_options(out, fields.State.OPTIONS, state)
    out.number(fields.State.STAGE, state.stage)
    out.number(fields.State.ACTIVE_SEAT, state.active_seat)
    for seat in state.seats:
        _write_seat(out, fields.State.SEATS, seat)
    out.numbers(fields.State.SQUARES, state.squares, 1)
    out.packed(fields.State.PILES, state.piles)
    out.packed(fields.State.UNDRAWN, state.undrawn)
    out.packed(fields.State.REMOVED, state.removed)
    out.number(fields.State.GENERAL, state.general_place)
    out.counts(fields.State.DECK, state.deck, COUNT_BITS)
    out.counts(fields.State.DISCARDS, state.discards, COUNT_BITS)
    out.counts(fields.State.RESERVE, state.reserve, COUNT_BITS)
    out.counts(fields.State.DECK_AT_MOST, state.deck_at_most, COUNT_BITS)
    out.number(fields.State.REBUILDS, state.rebuilds)
    out.number(fields.State.EXHAUSTIONS, state.exhaustions)
    out.number(fields.State.QUIET_TURNS, state.quiet_turns)
    out.flag(fields.State.TURN_IS_LIVELY, state.drew_or_captured)
    out.number(fields.State.DIRECTION, state.direction)
    out.number(fields.State.CAPTURES, state.captures)
    out.number(fields.State.CAPTURE_LIMIT, state.capture_limit)
    out.number(fields.State.WARRIORS_OWED, state.warriors_owed)
    out.number(fields.State.POWER, state.power_card + 1)
    out.number(fields.State.DUE, state.pending_draws)
    out.text(fields.State.REASON, state.reason)
    out.packed(fields.State.WON_THIS_TURN, state.won_this_turn)
    out.number(fields.State.GENERAL_WINNER, state.general_winner)
    return out.to_bytes()


def decode_state(message: pb.State) -> FireBullsState:
    """The state of a message, each field checked for its range. Raises `InconsistentState`."""
    options = _decode_options(message.options)
    last = len(options.colours) - 1
    stage = state_number(message.stage, SETUP_YEN, OVER, "stage")
    active = state_number(message.active_seat, NO_SEAT, last, "activeSeat")
    state = FireBullsState(
        options,
        _decode_seats(message.seats, options.colours),
        _decode_squares(message.squares),
        _decode_piles(message.piles),
        _decode_points(message.undrawn, "undrawn"),
        _decode_points(message.removed, "removed"),
        NO_POINT_CARDS,
    )
    state.stage = stage
    state.active_seat = active
    state.general_place = state_number(message.general, GENERAL_HIDDEN, GENERAL_WON, "general")
    state.deck = _decode_cards(message.deck, "deck")
    state.discards = _decode_cards(message.discards, "discards")
    state.reserve = _decode_cards(message.reserve, "reserve")
    state.deck_at_most = _decode_cards(message.deck_at_most, "deckAtMost")
    state.rebuilds = state_counter(message.rebuilds, "rebuilds")
    state.exhaustions = state_counter(message.exhaustions, "exhaustions")
    state.quiet_turns = state_counter(message.quiet_turns, "quietTurns")
    state.drew_or_captured = message.turn_is_lively
    state.direction = state_number(message.direction, 0, DIRECTIONS, "direction")
    state.captures = state_counter(message.captures, "captures")
    state.capture_limit = state_counter(message.capture_limit, "captureLimit")
    state.warriors_owed = state_counter(message.warriors_owed, "warriorsOwed")
    state.power_card = state_number(message.power, 0, POINT_KINDS, "power") - 1
    state.pending_draws = state_counter(message.due, "due")
    state.reason = message.reason
    state.won_this_turn = _decode_points(message.won_this_turn, "wonThisTurn")
    state.general_winner = state_number(message.general_winner, NO_SEAT, last, "generalWinner")
    return state


def _write_options(out: Writer, field: int, state: FireBullsState) -> None:
    start = out.begin(field)
    out.number(fields.Options.PROFILE, PROFILES.index(state.options.profile) + 1)
    colours = out.begin(fields.Options.COLOURS)
    for seat in state.seats:
        out.element(seat.colour + 1)
    out.end(colours)
    if state.options.first_seat != NO_SEAT:
        out.explicit(fields.Options.FIRST_SEAT, state.options.first_seat)
    out.end(start)


def _write_seat(out: Writer, field: int, seat: FireBullsSeat) -> None:
    start = out.begin(field)
    out.number(fields.SeatState.PLACE, seat.place)
    out.counts(fields.SeatState.HAND, seat.hand, COUNT_BITS)
    out.counts(fields.SeatState.KNOWN, seat.known_cards, COUNT_BITS)
    out.counts(fields.SeatState.DECK_AT_MOST, seat.deck_at_most, COUNT_BITS)
    out.packed(fields.SeatState.VICTORY, seat.victory)
    out.number(fields.SeatState.PENALTY, seat.penalty + 1)
    out.flag(fields.SeatState.LEFT, seat.has_left)
    out.end(start)


def _decode_options(options: pb.Options) -> FireBullsOptions:
    seat_count = len(options.colours)
    require(MIN_SEATS <= seat_count <= MAX_SEATS, "options.colours", f"{MIN_SEATS} to {MAX_SEATS}, one a seat")
    require(options.profile != 0, "options.profile", "it must be named")
    return decode_state_options(options, decode_options, seat_count)


def _decode_seats(seats: Sequence[pb.SeatState], colours: tuple[int, ...]) -> list[FireBullsSeat]:
    require(len(seats) == len(colours), "seats", f"{len(colours)}, one a colour, not {len(seats)}")
    return [_decode_seat(seat, colours[number], f"seats[{number}].") for number, seat in enumerate(seats)]


def _decode_seat(seat: pb.SeatState, colour: int, path: str) -> FireBullsSeat:
    return FireBullsSeat(
        colour,
        state_number(seat.place, 0, DIRECTIONS, "place", path),
        _decode_cards(seat.hand, "hand", path),
        _decode_cards(seat.known, "known", path),
        _decode_cards(seat.deck_at_most, "deckAtMost", path),
        _decode_points(seat.victory, "victory", path),
        state_number(seat.penalty, 0, POINT_KINDS, "penalty", path) - 1,
        seat.left,
    )


def _decode_cards(cards: pb.AttackCards, name: str, path: str = "") -> int:
    """Packed counts of attack cards, of `COUNT_BITS` bits each."""
    packed = packed_cards(cards)
    require(packed >= 0, f"{path}{name}", "counts below 0, or above what there is of a kind")
    return packed


def _decode_points(counts: Sequence[int], name: str, path: str = "") -> bytes:
    """Counts of point cards by kind, a byte each."""
    fits = len(counts) == POINT_KINDS and all(0 <= counts[kind] <= POINT_COUNTS[kind] for kind in range(POINT_KINDS))
    require(fits, f"{path}{name}", f"{POINT_KINDS} numbers, none below 0 or above what there is of its kind")
    return bytes(counts)


def _decode_squares(squares: Sequence[int]) -> list[int]:
    require(len(squares) == SQUARES, "squares", f"{SQUARES} squares")
    return [state_number(card, 0, POINT_KINDS, "squares") - 1 for card in squares]


def _decode_piles(piles: Sequence[int]) -> bytes:
    fits = len(piles) == PILES and all(0 <= size <= PILE_SIZE for size in piles)
    require(fits, "piles", f"{PILES} piles of 0 to {PILE_SIZE} cards")
    return bytes(piles)
