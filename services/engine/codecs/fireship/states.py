"""Converts states of Fireship to `State` messages and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fireside.fireship.v1 import field_numbers as fields
from fireside.fireship.v1 import fireship_pb2 as pb

from engine_core.errors import InconsistentState
from engine_core.games.fireship import moves
from engine_core.games.fireship.board import ISLANDS
from engine_core.games.fireship.components import BADGE_STOCK, CARD_COUNTS, FACES, MOVEMENT_DICE, RINGS, WHITE
from engine_core.games.fireship.declarations import MAX_DECLARED_MOVES
from engine_core.games.fireship.stages import FIRST_THROW, OVER
from engine_core.games.fireship.state import (
    MAX_SEATS,
    MIN_SEATS,
    NO_PAWN,
    NO_SEAT,
    Declared,
    FireshipOptions,
    FireshipSeat,
    FireshipState,
    empty_state,
)
from engine_core.packed import LANE_BITS
from services.engine.codecs.fireship.moves import decode_move
from services.engine.codecs.fireship.options import decode_options, write_options
from services.engine.codecs.fireship.pawns import decode_pawn, pawn_bytes
from services.engine.codecs.fireship.shared_fields import write_badges, write_declared, write_island, write_pawn_group
from services.engine.codecs.ranges import decode_state_options, pack_counts, require, state_counter, state_number
from services.engine.wire import Writer
from services.grpc_server.errors import InvalidRequest

MAX_GROUPS: Final = 100
"""Groups of equal pawns; there are fewer pawns than that."""
MAX_GROUP_SIZE: Final = 15
"""Pawns of one group; no group of a reachable state has more."""


def write_state(state: FireshipState) -> bytes:
    """The bytes of a `State` without its `rules_version`."""
    out = Writer()
    write_options(out, fields.State.OPTIONS, state.options)
    out.number(fields.State.STAGE, state.stage)
    out.number(fields.State.ACTIVE_SEAT, state.active_seat)
    out.number(fields.State.FIRST_SEAT, state.first_seat)
    for seat in state.seats:
        _write_seat(out, fields.State.SEATS, seat)
    for owner, fleet in enumerate(state.pawns):
        for pawn in sorted(set(fleet)):
            write_pawn_group(out, fields.State.PAWNS, owner, pawn, fleet.count(pawn))
    for island in range(ISLANDS):
        write_island(out, fields.State.ISLANDS, state.owners[island], state.rings[island])
    write_badges(out, fields.State.BADGE_STOCK, state.badge_stock)
    out.number(fields.State.ROUND, state.round)
    out.number(fields.State.TURN, state.turn)
    out.number(fields.State.THROWER, state.thrower)
    out.number(fields.State.CONTEST, state.contest)
    out.number(fields.State.DUE, state.pending_dice)
    out.numbers(fields.State.DICE, state.dice)
    out.number(fields.State.POINTS, state.points)
    if state.chosen_pawn != NO_PAWN:
        out.data(fields.State.CHOSEN, pawn_bytes(state.chosen_pawn))
    out.flag(fields.State.ACTED, state.has_acted)
    out.flag(fields.State.FORTIFIED, state.has_fortified)
    for one in state.stack:
        write_declared(out, fields.State.DECLARED, one.seat, one.move)
    out.number(fields.State.DEFENCE_BONUS, state.defence_bonus)
    out.number(fields.State.ASKED, state.seats_to_answer)
    out.counts(fields.State.DECK, state.deck, LANE_BITS)
    out.counts(fields.State.DISCARDS, state.discards, LANE_BITS)
    out.counts(fields.State.DECK_AT_MOST, state.deck_at_most, LANE_BITS)
    out.number(fields.State.REBUILDS, state.rebuilds)
    out.flag(fields.State.TIME_IS_UP, state.time_is_up)
    out.text(fields.State.REASON, state.reason)
    return out.to_bytes()


def decode_state(message: pb.State) -> FireshipState:
    """The state of a message, each field checked for its range. Raises `InconsistentState`."""
    options = _decode_options(message.options)
    seat_count = len(options.colours)
    state = empty_state(seat_count, options)
    state.stage = state_number(message.stage, FIRST_THROW, OVER, "stage")
    state.active_seat = state_number(message.active_seat, NO_SEAT, seat_count - 1, "activeSeat")
    state.first_seat = state_number(message.first_seat, NO_SEAT, seat_count - 1, "firstSeat")
    _decode_seats(message.seats, state.seats)
    _decode_pawns(message.pawns, state)
    _decode_islands(message.islands, state)
    state.badge_stock = _decode_badges(message.badge_stock, "badgeStock")
    state.round = state_counter(message.round, "round")
    state.turn = state_counter(message.turn, "turn")
    state.thrower = state_number(message.thrower, 0, seat_count - 1, "thrower")
    state.contest = state_number(message.contest, 0, (1 << seat_count) - 1, "contest")
    state.pending_dice = state_counter(message.due, "due")
    state.dice = _decode_dice(message.dice)
    state.points = state_counter(message.points, "points")
    state.chosen_pawn = _decode_pawn(message.chosen, "chosen") if message.HasField("chosen") else NO_PAWN
    state.has_acted = message.acted
    state.has_fortified = message.fortified
    state.stack = _decode_declared(message.declared, seat_count)
    state.defence_bonus = state_counter(message.defence_bonus, "defenceBonus")
    state.seats_to_answer = state_number(message.asked, 0, (1 << seat_count) - 1, "asked")
    state.deck = _decode_cards(message.deck, "deck")
    state.discards = _decode_cards(message.discards, "discards")
    state.deck_at_most = _decode_cards(message.deck_at_most, "deckAtMost")
    state.rebuilds = state_counter(message.rebuilds, "rebuilds")
    state.time_is_up = message.time_is_up
    state.reason = message.reason
    return state


def _write_seat(out: Writer, field: int, seat: FireshipSeat) -> None:
    start = out.begin(field)
    out.counts(fields.SeatState.HAND, seat.hand, LANE_BITS)
    out.counts(fields.SeatState.DECK_AT_MOST, seat.deck_at_most, LANE_BITS)
    write_badges(out, fields.SeatState.BADGES, seat.badges)
    out.flag(fields.SeatState.ANTI_SKULL, seat.anti_skull)
    out.flag(fields.SeatState.FOG, seat.fog)
    out.number(fields.SeatState.SKIPS, seat.turns_to_skip)
    out.flag(fields.SeatState.PASSES_TURN, seat.passes_turn)
    out.number(fields.SeatState.ANSWER, seat.answer)
    out.number(fields.SeatState.OUT, seat.eliminated_in_turn)
    out.flag(fields.SeatState.LEFT, seat.has_left)
    out.number(fields.SeatState.FIRST_THROW, seat.first_throw)
    out.end(start)


def _decode_options(options: pb.Options) -> FireshipOptions:
    seat_count = len(options.colours)
    require(MIN_SEATS <= seat_count <= MAX_SEATS, "options.colours", f"{MIN_SEATS} to {MAX_SEATS}, one a seat")
    require(options.rounds != 0, "options.rounds", "it must be given")
    return decode_state_options(options, decode_options, seat_count)


def _decode_seats(messages: Sequence[pb.SeatState], seats: list[FireshipSeat]) -> None:
    require(len(messages) == len(seats), "seats", f"{len(seats)}, one a colour, not {len(messages)}")
    for number, message in enumerate(messages):
        _decode_seat(message, seats[number], f"seats[{number}].")


def _decode_seat(message: pb.SeatState, seat: FireshipSeat, path: str) -> None:
    seat.hand = _decode_cards(message.hand, "hand", path)
    seat.deck_at_most = _decode_cards(message.deck_at_most, "deckAtMost", path)
    seat.badges = _decode_badges(message.badges, "badges", path)
    seat.anti_skull = message.anti_skull
    seat.fog = message.fog
    seat.turns_to_skip = state_counter(message.skips, "skips", path)
    seat.passes_turn = message.passes_turn
    seat.answer = state_number(message.answer, 0, len(moves.ANSWER_NAMES), "answer", path)
    seat.eliminated_in_turn = state_counter(message.out, "out", path)
    seat.has_left = message.left
    seat.first_throw = state_counter(message.first_throw, "firstThrow", path)


def _decode_cards(cards: pb.MysteryCards, name: str, path: str = "") -> int:
    """Packed counts of mystery cards, of `LANE_BITS` bits each."""
    counts = [
        cards.gain_boat,
        cards.gain_plane,
        cards.lose_boat,
        cards.lose_plane,
        cards.no,
        cards.boum,
        cards.plus_one,
        cards.updraft,
        cards.fog,
        cards.bermuda,
    ]
    deck = pack_counts(counts, CARD_COUNTS, LANE_BITS)
    require(deck >= 0, f"{path}{name}", "counts below 0, or above what there is of a kind")
    return deck


def _decode_badges(badges: pb.Badges, name: str, path: str = "") -> list[int]:
    counts = [badges.boum, badges.gulf_stream, badges.fog, badges.updraft]
    return [state_number(count, 0, most, name, path) for count, most in zip(counts, BADGE_STOCK, strict=True)]


def _decode_pawns(groups: Sequence[pb.Pawns], state: FireshipState) -> None:
    require(len(groups) <= MAX_GROUPS, "pawns", f"at most {MAX_GROUPS} kinds of pawns")
    for number, group in enumerate(groups):
        path = f"pawns[{number}]."
        owner = state_number(group.owner, 1, WHITE + 1, "owner", path) - 1
        pawn = _decode_pawn(group.pawn, f"{path}pawn")
        for _ in range(state_number(group.count, 1, MAX_GROUP_SIZE, "count", path)):
            state.put_pawn(owner, pawn)


def _decode_pawn(pawn: pb.Pawn, field: str) -> int:
    try:
        return decode_pawn(pawn, field)
    except InvalidRequest as error:
        raise InconsistentState(error.field.replace("move.", "state.", 1), error.description) from None


def _decode_islands(islands: Sequence[pb.Island], state: FireshipState) -> None:
    require(len(islands) == ISLANDS, "islands", f"{ISLANDS} islands, not {len(islands)}")
    for number, island in enumerate(islands):
        path = f"islands[{number}]."
        state.owners[number] = state_number(island.owner, 1, WHITE + 1, "owner", path) - 1
        state.rings[number] = state_number(island.rings, 0, RINGS, "rings", path)


def _decode_dice(dice: Sequence[int]) -> list[int]:
    require(len(dice) <= MOVEMENT_DICE[-1], "dice", f"at most {MOVEMENT_DICE[-1]}")
    require(all(face in FACES for face in dice), "dice", "faces are 0 and 2 to 6")
    return list(dice)


def _decode_declared(messages: Sequence[pb.Declared], seat_count: int) -> list[Declared]:
    require(len(messages) <= MAX_DECLARED_MOVES, "declared", f"at most {MAX_DECLARED_MOVES}")
    declared: list[Declared] = []
    for number, message in enumerate(messages):
        field = f"declared[{number}]"
        seat = state_number(message.seat, 0, seat_count - 1, "seat", f"{field}.")
        try:
            move = decode_move(message.move)
        except InvalidRequest as error:
            raise InconsistentState(f"state.{field}.{error.field}", error.description) from None
        declared.append(Declared(seat, move))
    return declared
