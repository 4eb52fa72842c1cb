"""Views of Fireship in messages."""

from __future__ import annotations

from engine_core.games.fireship.board import ISLANDS
from engine_core.games.fireship.components import LANE
from engine_core.games.fireship.state import NO_PAWN
from engine_core.games.fireship.view import NO_HAND, FireshipView, SeatView
from services.engine.codecs.fireship.board import write_badges, write_declared, write_group, write_island
from services.engine.codecs.fireship.options import write_options
from services.engine.codecs.fireship.pawns import pawn_written
from services.engine.wire import Writer


def write_view(view: FireshipView) -> bytes:
    """A `View`."""
    out = Writer()
    write_options(out, 1, view.options)
    out.number(2, view.stage)
    out.number(3, view.active)
    out.number(4, view.first)
    out.number(5, view.round)
    for seat in view.seats:
        _write_seat_view(out, 6, seat)
    for group in view.pawns:
        write_group(out, 7, group.owner, group.pawn, group.count)
    for island in range(ISLANDS):
        write_island(out, 8, view.owners[island], view.rings[island])
    out.number(9, view.deck_size)
    out.counts(10, view.at_most, LANE)
    out.counts(11, view.discards, LANE)
    write_badges(out, 12, view.badge_stock)
    out.numbers(13, view.dice)
    out.number(14, view.points)
    if view.chosen != NO_PAWN:
        out.data(15, pawn_written(view.chosen))
    out.flag(16, view.acted)
    out.flag(17, view.fortified)
    for one in view.declared:
        write_declared(out, 18, one.seat, one.move)
    out.number(19, view.attack_power)
    out.number(20, view.defence_power)
    out.numbers(21, [seat for seat in range(len(view.seats)) if view.asked >> seat & 1])
    out.flag(22, view.time_is_up)
    return out.done()


def _write_seat_view(out: Writer, field: int, seat: SeatView) -> None:
    place = out.begin(field)
    out.number(1, seat.colour + 1)
    out.number(2, seat.hand_size)
    if seat.hand != NO_HAND:
        out.counts(3, seat.hand, LANE)
    write_badges(out, 4, seat.badges)
    out.flag(5, seat.anti_skull)
    out.flag(6, seat.fog)
    out.number(7, seat.skips)
    out.flag(8, seat.silent)
    out.flag(9, seat.has_answered)
    out.number(10, seat.answer)
    out.flag(11, seat.out > 0)
    out.flag(12, seat.left)
    out.number(13, seat.first_throw)
    out.number(14, seat.island_power)
    out.number(15, seat.pawn_power)
    out.end(place)
