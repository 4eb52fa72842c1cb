"""Writes views of Fireship as `View` messages."""

from __future__ import annotations

from fireside.fireship.v1 import field_numbers as fields

from engine_core.games.fireship.board import ISLANDS
from engine_core.games.fireship.state import NO_PAWN
from engine_core.games.fireship.view import NO_HAND, FireshipSeatView, FireshipView
from engine_core.packed import LANE_BITS
from services.engine.codecs.fireship.options import write_options
from services.engine.codecs.fireship.pawns import pawn_bytes
from services.engine.codecs.fireship.shared_fields import write_badges, write_declared, write_island, write_pawn_group
from services.engine.wire import Writer


def write_view(view: FireshipView) -> bytes:
    """The bytes of a `View`."""
    out = Writer()
    write_options(out, fields.View.OPTIONS, view.options)
    out.number(fields.View.STAGE, view.stage)
    out.number(fields.View.ACTIVE_SEAT, view.active_seat)
    out.number(fields.View.FIRST_SEAT, view.first_seat)
    out.number(fields.View.ROUND, view.round)
    for seat in view.seats:
        _write_seat_view(out, fields.View.SEATS, seat)
    for group in view.pawns:
        write_pawn_group(out, fields.View.PAWNS, group.owner, group.pawn, group.count)
    for island in range(ISLANDS):
        write_island(out, fields.View.ISLANDS, view.owners[island], view.rings[island])
    out.number(fields.View.DECK_SIZE, view.deck_size)
    out.counts(fields.View.DECK_AT_MOST, view.deck_at_most, LANE_BITS)
    out.counts(fields.View.DISCARDS, view.discards, LANE_BITS)
    write_badges(out, fields.View.BADGE_STOCK, view.badge_stock)
    out.numbers(fields.View.DICE, view.dice)
    out.number(fields.View.POINTS, view.points)
    if view.chosen_pawn != NO_PAWN:
        out.data(fields.View.CHOSEN, pawn_bytes(view.chosen_pawn))
    out.flag(fields.View.ACTED, view.has_acted)
    out.flag(fields.View.FORTIFIED, view.has_fortified)
    for one in view.declared:
        write_declared(out, fields.View.DECLARED, one.seat, one.move)
    out.number(fields.View.ATTACK_POWER, view.attack_power)
    out.number(fields.View.DEFENCE_POWER, view.defence_power)
    out.numbers(fields.View.ASKED, [seat for seat in range(len(view.seats)) if view.seats_to_answer >> seat & 1])
    out.flag(fields.View.TIME_IS_UP, view.time_is_up)
    return out.to_bytes()


def _write_seat_view(out: Writer, field: int, seat: FireshipSeatView) -> None:
    start = out.begin(field)
    out.number(fields.SeatView.COLOUR, seat.colour + 1)
    out.number(fields.SeatView.HAND_SIZE, seat.hand_size)
    if seat.hand != NO_HAND:
        out.counts(fields.SeatView.HAND, seat.hand, LANE_BITS)
    write_badges(out, fields.SeatView.BADGES, seat.badges)
    out.flag(fields.SeatView.ANTI_SKULL, seat.anti_skull)
    out.flag(fields.SeatView.FOG, seat.fog)
    out.number(fields.SeatView.SKIPS, seat.turns_to_skip)
    out.flag(fields.SeatView.PASSES_TURN, seat.passes_turn)
    out.flag(fields.SeatView.HAS_ANSWERED, seat.has_answered)
    out.number(fields.SeatView.ANSWER, seat.answer)
    out.flag(fields.SeatView.OUT, seat.eliminated_in_turn > 0)
    out.flag(fields.SeatView.LEFT, seat.has_left)
    out.number(fields.SeatView.FIRST_THROW, seat.first_throw)
    out.number(fields.SeatView.ISLAND_POWER, seat.island_power)
    out.number(fields.SeatView.PAWN_POWER, seat.pawn_power)
    out.end(start)
