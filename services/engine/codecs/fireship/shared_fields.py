"""Writes the parts of Fireship messages that states and views share: badges, pawns, islands, declarations."""

from __future__ import annotations

from fireside.fireship.v1 import field_numbers as fields

from engine_core.game import Move
from services.engine.codecs.fireship.moves import write_move
from services.engine.codecs.fireship.pawns import pawn_bytes
from services.engine.wire import Writer


def write_badges(out: Writer, field: int, badges: list[int]) -> None:
    """Write a `Badges` field: counts by kind."""
    start = out.begin(field)
    for badge, count in enumerate(badges, 1):
        out.number(badge, count)
    out.end(start)


def write_pawn_group(out: Writer, field: int, owner: int, pawn: int, count: int) -> None:
    """Write a `Pawns` field: a number of equal pawns of one owner."""
    start = out.begin(field)
    out.number(fields.Pawns.OWNER, owner + 1)
    out.data(fields.Pawns.PAWN, pawn_bytes(pawn))
    out.number(fields.Pawns.COUNT, count)
    out.end(start)


def write_island(out: Writer, field: int, owner: int, rings: int) -> None:
    """Write an `Island` field."""
    start = out.begin(field)
    out.number(fields.Island.OWNER, owner + 1)
    out.number(fields.Island.RINGS, rings)
    out.end(start)


def write_declared(out: Writer, field: int, seat: int, move: Move) -> None:
    """Write a `Declared` field: a move and the seat that made it."""
    start = out.begin(field)
    out.number(fields.Declared.SEAT, seat)
    out.data(fields.Declared.MOVE, write_move(move))
    out.end(start)
