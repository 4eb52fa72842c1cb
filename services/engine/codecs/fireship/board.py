"""What lies on the board of Fireship, and beside it, in messages: states and views have it alike."""

from __future__ import annotations

from engine_core.game import Move
from services.engine import wire
from services.engine.codecs.fireship.moves import write_move
from services.engine.codecs.fireship.pawns import pawn_written
from services.engine.wire import Writer


def badges_written(badges: list[int]) -> bytes:
    """`Badges`."""
    out = Writer()
    for badge, count in enumerate(badges, 1):
        out.number(badge, count)
    return out.done()


def group_written(owner: int, pawn: int, count: int) -> bytes:
    """`Pawns` that are alike."""
    out = Writer()
    out.number(1, owner + 1)
    out.data(2, pawn_written(pawn))
    out.number(3, count)
    return out.done()


def island_written(owner: int, rings: int) -> bytes:
    """An `Island`."""
    return wire.number(1, owner + 1) + wire.number(2, rings)


def declared_written(seat: int, move: Move) -> bytes:
    """A `Declared`."""
    return wire.number(1, seat) + wire.data(2, write_move(move))
