"""Converts pawns of Fireship, which are integers in the rules, to `Pawn` messages and back."""

from __future__ import annotations

from typing import Final

from fireside.fireship.v1 import field_numbers as fields
from fireside.fireship.v1 import fireship_pb2 as pb

from engine_core.games.fireship import moves
from engine_core.games.fireship.board import BASES, IS_SEA, NAMES
from engine_core.games.fireship.components import BATTLESHIP, BOAT
from engine_core.games.fireship.moves import kind_of
from services.engine.codecs.ranges import move_number
from services.engine.wire import Writer
from services.grpc_server.errors import InvalidRequest


def pawn_bytes(pawn: int) -> bytes:
    """The bytes of a `Pawn`."""
    encoded = PAWN_BYTES.get(pawn)
    if encoded is None:
        encoded = PAWN_BYTES[pawn] = _write_pawn(pawn)
    return encoded


PAWN_BYTES: Final[dict[int, bytes]] = {}
"""Cache of encoded pawns; there are a few thousand different ones."""


def _write_pawn(pawn: int) -> bytes:
    out = Writer()
    out.number(fields.Pawn.KIND, kind_of(pawn) + 1)
    out.text(fields.Pawn.SQUARE, NAMES[pawn // moves.CLASSES])
    out.flag(fields.Pawn.ARRIVED, pawn & moves.ARRIVED != 0)
    out.flag(fields.Pawn.FAST, pawn & moves.FAST != 0)
    return out.to_bytes()


def decode_pawn(pawn: pb.Pawn, field: str) -> int:
    """The pawn of a message; `field` is its path. Raises `InvalidRequest`."""
    kind = move_number(pawn.kind, BOAT + 1, BATTLESHIP + 1, f"{field}.kind") - 1
    return moves.pawn_code(square_named(pawn.square, f"{field}.square"), kind, pawn.arrived, pawn.fast)


SQUARES_BY_NAME: Final[dict[str, int]] = {name: square for square, name in enumerate(NAMES)}


def square_named(name: str, field: str) -> int:
    """The number of a square or base, by its name. Raises `InvalidRequest`."""
    square = SQUARES_BY_NAME.get(name, -1)
    if square < 0 or not (IS_SEA[square] or square in BASES):
        raise InvalidRequest(f"move.{field}", "a square of the sea or a base, from a1 to o15")
    return square


def sea_square_named(name: str, field: str) -> int:
    """The number of a square of the sea, by its name. Raises `InvalidRequest`."""
    square = square_named(name, field)
    if not IS_SEA[square]:
        raise InvalidRequest(f"move.{field}", "a square of the sea")
    return square
