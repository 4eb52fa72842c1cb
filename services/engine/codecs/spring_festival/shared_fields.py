"""Writes tiles, composition cards, squares and signs of Spring Festival as messages and enum values."""

from __future__ import annotations

from typing import Final

from fireside.spring_festival.v1 import field_numbers as fields
from fireside.spring_festival.v1 import spring_festival_pb2 as pb

from engine_core.games.spring_festival.components import TILES, Tile
from engine_core.games.spring_festival.compositions import COMPOSITIONS, Composition
from engine_core.games.spring_festival.squares import NO_SQUARE, column, row
from engine_core.games.spring_festival.state import NO_SIGN
from services.engine import wire
from services.engine.wire import Writer

FIRST_SIGN: Final = pb.SIGN_GOAT
"""Enum value of the first sign, which follows `SIGN_NONE` and `SIGN_RANDOM`."""


def sign_number(sign: int) -> int:
    """The value of the enum `Sign`."""
    return pb.SIGN_NONE if sign == NO_SIGN else sign + FIRST_SIGN


def square_bytes(square: int) -> bytes:
    """The bytes of a `Square`."""
    encoded = SQUARE_BYTES.get(square)
    if encoded is None:
        x, y = column(square), row(square)
        encoded = SQUARE_BYTES[square] = wire.signed(fields.Square.X, x) + wire.signed(fields.Square.Y, y)
    return encoded


SQUARE_BYTES: Final[dict[int, bytes]] = {}
"""Cache of encoded squares; a display has room for a thousand."""


def write_square(out: Writer, field: int, square: int) -> None:
    """Write a `Square` field; nothing for `NO_SQUARE`."""
    if square != NO_SQUARE:
        out.data(field, square_bytes(square))


def face_number(exploded: int, slot: int) -> int:
    """The value of the enum `Face` for the tile in a slot."""
    return pb.FACE_EXPLODED if exploded >> slot & 1 else pb.FACE_ROCKET


def _encode_tile(number: int, tile: Tile) -> bytes:
    out = Writer()
    out.number(fields.Tile.ID, number + 1)
    out.number(fields.Tile.COLOUR, tile.colour + 1)
    out.number(fields.Tile.NUMBER, tile.number)
    out.numbers(fields.Tile.ARROWS, tile.arrows, 1)
    out.numbers(fields.Tile.SPARKS, tile.sparks, 1)
    return out.to_bytes()


def _encode_composition(number: int, card: Composition) -> bytes:
    out = Writer()
    out.number(fields.Composition.ID, number + 1)
    out.number(fields.Composition.KIND, card.kind + 1)
    out.number(fields.Composition.POINTS, card.points)
    for line in card.rows:
        out.text(fields.Composition.ROWS, line)
    return out.to_bytes()


TILE_BYTES: Final[list[bytes]] = [_encode_tile(number, tile) for number, tile in enumerate(TILES)]
COMPOSITION_BYTES: Final[list[bytes]] = [_encode_composition(number, card) for number, card in enumerate(COMPOSITIONS)]
