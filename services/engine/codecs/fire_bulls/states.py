"""States of Fire Bulls in messages."""

from __future__ import annotations

from fireside.fire_bulls.v1 import fire_bulls_pb2 as pb

from engine_core.errors import InconsistentState
from engine_core.games.fire_bulls.cards import DIRECTIONS, NOTHING, PILE_SIZE, PILES, POINT_COUNTS, POINT_KINDS, SQUARES
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
from services.engine.codecs.fire_bulls.cards import MOST, WIDTH
from services.engine.codecs.fire_bulls.options import PROFILES, decode_options
from services.engine.codecs.ranges import decoded_options, read_counter, require, within
from services.engine.wire import Reader, Writer


def write_state(state: FireBullsState) -> bytes:
    """A `State`, without the version of the rules."""
    out = Writer()
    _write_options(out, 1, state)
    out.number(2, state.stage)
    out.number(3, state.active)
    for seat in state.seats:
        _write_seat(out, 4, seat)
    out.numbers(5, state.squares, 1)
    out.packed(6, state.piles)
    out.packed(7, state.undrawn)
    out.packed(8, state.removed)
    out.number(9, state.general)
    out.counts(10, state.deck, WIDTH)
    out.counts(11, state.discards, WIDTH)
    out.counts(12, state.reserve, WIDTH)
    out.counts(13, state.at_most, WIDTH)
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
    out.packed(25, state.won_now)
    out.number(26, state.general_winner)
    return out.done()


def read_state(fields: Reader) -> FireBullsState:
    """What a `State` tells. Raises `InconsistentState`."""
    options = _read_options(fields)
    last = len(options.colours) - 1
    stage = within(fields.number(2), SETUP_YEN, OVER, "stage")
    active = within(fields.number(3), NO_SEAT, last, "activeSeat")
    state = FireBullsState(
        options,
        _read_seats(fields, options.colours),
        _read_squares(fields),
        _read_piles(fields),
        _read_counts(fields, 7, "undrawn"),
        _read_counts(fields, 8, "removed"),
        NOTHING,
    )
    state.stage = stage
    state.active = active
    state.general = within(fields.number(9), GENERAL_HIDDEN, GENERAL_WON, "general")
    state.deck = _read_cards(fields, 10, "deck")
    state.discards = _read_cards(fields, 11, "discards")
    state.reserve = _read_cards(fields, 12, "reserve")
    state.at_most = _read_cards(fields, 13, "deckAtMost")
    state.rebuilds = read_counter(fields, 14, "rebuilds")
    state.exhaustions = read_counter(fields, 15, "exhaustions")
    state.quiet_turns = read_counter(fields, 16, "quietTurns")
    state.lively = fields.flag(17)
    state.direction = within(fields.number(18), 0, DIRECTIONS, "direction")
    state.captures = read_counter(fields, 19, "captures")
    state.capture_limit = read_counter(fields, 20, "captureLimit")
    state.warriors_owed = read_counter(fields, 21, "warriorsOwed")
    state.power = within(fields.number(22), 0, POINT_KINDS, "power") - 1
    state.due = read_counter(fields, 23, "due")
    state.reason = fields.text(24)
    state.won_now = _read_counts(fields, 25, "wonThisTurn")
    state.general_winner = within(fields.number(26), NO_SEAT, last, "generalWinner")
    return state


def _write_options(out: Writer, field: int, state: FireBullsState) -> None:
    place = out.begin(field)
    out.number(1, PROFILES.index(state.options.profile) + 1)
    colours = out.begin(2)
    for seat in state.seats:
        out.element(seat.colour + 1)
    out.end(colours)
    if state.options.first_seat != NO_SEAT:
        out.given(3, state.options.first_seat)
    out.end(place)


def _write_seat(out: Writer, field: int, seat: Seat) -> None:
    place = out.begin(field)
    out.number(1, seat.place)
    out.counts(2, seat.hand, WIDTH)
    out.counts(3, seat.known, WIDTH)
    out.counts(4, seat.at_most, WIDTH)
    out.packed(5, seat.victory)
    out.number(6, seat.penalty + 1)
    out.flag(7, seat.left)
    out.end(place)


def _read_options(fields: Reader) -> FireBullsOptions:
    options = pb.Options.FromString(fields.data(1))
    seats = len(options.colours)
    require(MIN_SEATS <= seats <= MAX_SEATS, "options.colours", f"{MIN_SEATS} to {MAX_SEATS}, one a seat")
    require(options.profile != 0, "options.profile", "it must be named")
    return decoded_options(options, decode_options, seats)


def _read_seats(fields: Reader, colours: tuple[int, ...]) -> list[Seat]:
    seats: list[Seat] = []
    while fields.enter(4):
        number = len(seats)
        require(number < len(colours), "seats", f"{len(colours)}, one a colour, not more")
        seats.append(_read_seat(fields, colours[number], f"seats[{number}]."))
        fields.leave()
    require(len(seats) == len(colours), "seats", f"{len(colours)}, one a colour, not {len(seats)}")
    return seats


def _read_seat(fields: Reader, colour: int, of: str) -> Seat:
    return Seat(
        colour,
        within(fields.number(1), 0, DIRECTIONS, "place", of),
        _read_cards(fields, 2, "hand", of),
        _read_cards(fields, 3, "known", of),
        _read_cards(fields, 4, "deckAtMost", of),
        _read_counts(fields, 5, "victory", of),
        within(fields.number(6), 0, POINT_KINDS, "penalty", of) - 1,
        fields.flag(7),
    )


def _read_cards(fields: Reader, field: int, name: str, of: str = "") -> int:
    """Attack cards, packed."""
    packed = fields.counts(field, MOST, WIDTH)
    if packed < 0:
        raise InconsistentState(f"state.{of}{name}", "counts below 0, or above what there is of a kind")
    return packed


def _read_counts(fields: Reader, field: int, name: str, of: str = "") -> bytes:
    """Numbers of the point cards of each kind."""
    counts = fields.packed(field)
    if not _fit(counts):
        description = f"{POINT_KINDS} numbers, none below 0 or above what there is of its kind"
        raise InconsistentState(f"state.{of}{name}", description)
    return counts


def _fit(counts: bytes) -> bool:
    return len(counts) == POINT_KINDS and all(counts[kind] <= POINT_COUNTS[kind] for kind in range(POINT_KINDS))


def _read_squares(fields: Reader) -> list[int]:
    squares = fields.numbers(5, SQUARES)
    require(len(squares) == SQUARES, "squares", f"{SQUARES} squares")
    return [within(card, 0, POINT_KINDS, "squares") - 1 for card in squares]


def _read_piles(fields: Reader) -> bytes:
    piles = fields.packed(6)
    require(len(piles) == PILES and max(piles) <= PILE_SIZE, "piles", f"{PILES} piles of 0 to {PILE_SIZE} cards")
    return piles
