"""States of Fireship in messages."""

from __future__ import annotations

from typing import Final

from fireside.fireship.v1 import fireship_pb2 as pb

from engine_core.errors import InconsistentState
from engine_core.games.fireship import moves
from engine_core.games.fireship.board import ISLANDS
from engine_core.games.fireship.components import (
    BADGE_STOCK,
    CARD_COUNTS,
    FACES,
    LANE,
    MOVEMENT_DICE,
    RINGS,
    WHITE,
)
from engine_core.games.fireship.declarations import MOST_DECLARED
from engine_core.games.fireship.state import (
    FIRST_THROW,
    MAX_SEATS,
    MIN_SEATS,
    NO_PAWN,
    NO_SEAT,
    OVER,
    Declared,
    FireshipOptions,
    FireshipState,
    Seat,
    empty_state,
)
from services.engine.codecs.fireship.board import write_badges, write_declared, write_group, write_island
from services.engine.codecs.fireship.moves import decode_move
from services.engine.codecs.fireship.options import decode_options, write_options
from services.engine.codecs.fireship.pawns import pawn_written, read_pawn
from services.engine.codecs.ranges import decoded_options, read_counter, require, within
from services.engine.wire import Reader, Writer
from services.grpc_server.errors import InvalidRequest

MOST_GROUPS: Final = 100
"""There are not so many pawns."""
MOST_ALIKE: Final = 15
"""Nor so many in one group."""


def write_state(state: FireshipState) -> bytes:
    """A `State`, without the version of the rules."""
    out = Writer()
    write_options(out, 1, state.options)
    out.number(2, state.stage)
    out.number(3, state.active)
    out.number(4, state.first)
    for seat in state.seats:
        _write_seat(out, 5, seat)
    for owner, fleet in enumerate(state.pawns):
        for pawn in sorted(set(fleet)):
            write_group(out, 6, owner, pawn, fleet.count(pawn))
    for island in range(ISLANDS):
        write_island(out, 7, state.owners[island], state.rings[island])
    write_badges(out, 8, state.badge_stock)
    out.number(9, state.round)
    out.number(10, state.turn)
    out.number(11, state.thrower)
    out.number(12, state.contest)
    out.number(13, state.due)
    out.numbers(14, state.dice)
    out.number(15, state.points)
    if state.chosen != NO_PAWN:
        out.data(16, pawn_written(state.chosen))
    out.flag(17, state.acted)
    out.flag(18, state.fortified)
    for one in state.stack:
        write_declared(out, 19, one.seat, one.move)
    out.number(20, state.bonus)
    out.number(21, state.asked)
    out.counts(22, state.deck, LANE)
    out.counts(23, state.discards, LANE)
    out.counts(24, state.at_most, LANE)
    out.number(25, state.rebuilds)
    out.flag(26, state.time_is_up)
    out.text(27, state.reason)
    return out.done()


def read_state(fields: Reader) -> FireshipState:
    """What a `State` tells. Raises `InconsistentState`."""
    options = _read_options(fields)
    seats = len(options.colours)
    state = empty_state(seats, options)
    state.stage = within(fields.number(2), FIRST_THROW, OVER, "stage")
    state.active = within(fields.number(3), NO_SEAT, seats - 1, "activeSeat")
    state.first = within(fields.number(4), NO_SEAT, seats - 1, "firstSeat")
    _read_seats(fields, state.seats)
    _read_pawns(fields, state)
    _read_islands(fields, state)
    state.badge_stock = _read_badges(fields, 8, "badgeStock")
    state.round = read_counter(fields, 9, "round")
    state.turn = read_counter(fields, 10, "turn")
    state.thrower = within(fields.number(11), 0, seats - 1, "thrower")
    state.contest = within(fields.number(12), 0, (1 << seats) - 1, "contest")
    state.due = read_counter(fields, 13, "due")
    state.dice = _read_dice(fields)
    state.points = read_counter(fields, 15, "points")
    state.chosen = _read_chosen(fields)
    state.acted = fields.flag(17)
    state.fortified = fields.flag(18)
    state.stack = _read_declared(fields, seats)
    state.bonus = read_counter(fields, 20, "defenceBonus")
    state.asked = within(fields.number(21), 0, (1 << seats) - 1, "asked")
    state.deck = _read_cards(fields, 22, "deck")
    state.discards = _read_cards(fields, 23, "discards")
    state.at_most = _read_cards(fields, 24, "deckAtMost")
    state.rebuilds = read_counter(fields, 25, "rebuilds")
    state.time_is_up = fields.flag(26)
    state.reason = fields.text(27)
    return state


def _write_seat(out: Writer, field: int, seat: Seat) -> None:
    place = out.begin(field)
    out.counts(1, seat.hand, LANE)
    out.counts(2, seat.at_most, LANE)
    write_badges(out, 3, seat.badges)
    out.flag(4, seat.anti_skull)
    out.flag(5, seat.fog)
    out.number(6, seat.skips)
    out.flag(7, seat.silent)
    out.number(8, seat.answer)
    out.number(9, seat.out)
    out.flag(10, seat.left)
    out.number(11, seat.first_throw)
    out.end(place)


def _read_options(fields: Reader) -> FireshipOptions:
    options = pb.Options.FromString(fields.data(1))
    seats = len(options.colours)
    require(MIN_SEATS <= seats <= MAX_SEATS, "options.colours", f"{MIN_SEATS} to {MAX_SEATS}, one a seat")
    require(options.rounds != 0, "options.rounds", "it must be given")
    return decoded_options(options, decode_options, seats)


def _read_seats(fields: Reader, seats: list[Seat]) -> None:
    number = 0
    while fields.enter(5):
        require(number < len(seats), "seats", f"{len(seats)}, one a colour, not more")
        _read_seat(fields, seats[number], f"seats[{number}].")
        fields.leave()
        number += 1
    require(number == len(seats), "seats", f"{len(seats)}, one a colour, not {number}")


def _read_seat(fields: Reader, seat: Seat, of: str) -> None:
    seat.hand = _read_cards(fields, 1, "hand", of)
    seat.at_most = _read_cards(fields, 2, "deckAtMost", of)
    seat.badges = _read_badges(fields, 3, "badges", of)
    seat.anti_skull = fields.flag(4)
    seat.fog = fields.flag(5)
    seat.skips = read_counter(fields, 6, "skips", of)
    seat.silent = fields.flag(7)
    seat.answer = within(fields.number(8), 0, len(moves.ANSWERS), "answer", of)
    seat.out = read_counter(fields, 9, "out", of)
    seat.left = fields.flag(10)
    seat.first_throw = read_counter(fields, 11, "firstThrow", of)


def _read_cards(fields: Reader, field: int, name: str, of: str = "") -> int:
    """Mystery cards, packed."""
    packed = fields.counts(field, CARD_COUNTS, LANE)
    if packed < 0:
        raise InconsistentState(f"state.{of}{name}", "counts below 0, or above what there is of a kind")
    return packed


def _read_badges(fields: Reader, field: int, name: str, of: str = "") -> list[int]:
    if not fields.enter(field):
        return [0] * len(BADGE_STOCK)
    badges = [within(fields.number(badge + 1), 0, BADGE_STOCK[badge], name, of) for badge in range(len(BADGE_STOCK))]
    fields.leave()
    return badges


def _read_pawns(fields: Reader, state: FireshipState) -> None:
    number = 0
    while fields.enter(6):
        of = f"pawns[{number}]."
        require(number < MOST_GROUPS, "pawns", f"at most {MOST_GROUPS} kinds of pawns")
        owner = within(fields.number(1), 1, WHITE + 1, "owner", of) - 1
        pawn = _pawn_of(fields.data(2), f"{of}pawn")
        for _ in range(within(fields.number(3), 1, MOST_ALIKE, "count", of)):
            state.put(owner, pawn)
        fields.leave()
        number += 1


def _read_chosen(fields: Reader) -> int:
    if not fields.enter(16):
        return NO_PAWN
    pawn = _pawn_of(fields.rest(), "chosen")
    fields.leave()
    return pawn


def _pawn_of(data: bytes, field: str) -> int:
    try:
        return read_pawn(data, field)
    except InvalidRequest as error:
        raise InconsistentState(error.field.replace("move.", "state.", 1), error.description) from None


def _read_islands(fields: Reader, state: FireshipState) -> None:
    number = 0
    while fields.enter(7):
        of = f"islands[{number}]."
        require(number < ISLANDS, "islands", f"{ISLANDS} islands, not more")
        state.owners[number] = within(fields.number(1), 1, WHITE + 1, "owner", of) - 1
        state.rings[number] = within(fields.number(2), 0, RINGS, "rings", of)
        fields.leave()
        number += 1
    require(number == ISLANDS, "islands", f"{ISLANDS} islands, not {number}")


def _read_dice(fields: Reader) -> list[int]:
    dice = fields.numbers(14, MOVEMENT_DICE[-1])
    require(len(dice) <= MOVEMENT_DICE[-1], "dice", f"at most {MOVEMENT_DICE[-1]}")
    for face in dice:
        require(face in FACES, "dice", "faces are 0 and 2 to 6")
    return dice


def _read_declared(fields: Reader, seats: int) -> list[Declared]:
    declared: list[Declared] = []
    while fields.enter(19):
        field = f"declared[{len(declared)}]"
        require(len(declared) < MOST_DECLARED, "declared", f"at most {MOST_DECLARED}")
        seat = within(fields.number(1), 0, seats - 1, "seat", f"{field}.")
        try:
            move = decode_move(pb.Move.FromString(fields.data(2)))
        except InvalidRequest as error:
            raise InconsistentState(f"state.{field}.{error.field}", error.description) from None
        declared.append(Declared(seat, move))
        fields.leave()
    return declared
