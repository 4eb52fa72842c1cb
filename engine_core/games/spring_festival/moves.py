"""The moves of Spring Festival, with tables of prebuilt moves for those that are often legal."""

from __future__ import annotations

from typing import Final

from engine_core.game import Move
from engine_core.games.spring_festival.components import FIRST_STORE_TILE, NO_TILE, PILES, SIGNS, TILES
from engine_core.games.spring_festival.compositions import COMPOSITION_NAMES
from engine_core.games.spring_festival.squares import NO_SQUARE, SQUARES, square_at

MAX_SEATS: Final = 4


class LayStartTile(Move):
    """Lay a start tile on a square; other seats see neither until all are laid."""

    def __init__(self, tile: int, square: int) -> None:
        super().__init__(tile, square)
        self.tile: Final = tile
        self.square: Final = square


class RotateStore(Move):
    """Turn the store to one of its four positions, 0 to 3."""

    def __init__(self, offset: int) -> None:
        super().__init__(offset)
        self.offset: Final = offset


class PlaceTile(Move):
    """Put the tile just taken on a free square or over another tile; other seats see where once all have chosen."""

    def __init__(self, square: int) -> None:
        super().__init__(square)
        self.square: Final = square


class Pass(Move):
    """Complete no more compositions in this round."""


class Launch(Move):
    """Begin the finale with the rocket on a square."""

    def __init__(self, square: int) -> None:
        super().__init__(square)
        self.square: Final = square


class RevealTile(Move):
    """Nature turns up the top tile of a pile, 0 to 3."""

    def __init__(self, pile: int, tile: int) -> None:
        super().__init__(pile, tile)
        self.pile: Final = pile
        self.tile: Final = tile


class Deal(Move):
    """Nature deals a composition card to a seat."""

    def __init__(self, seat: int, card: int) -> None:
        super().__init__(seat, card)
        self.seat: Final = seat
        self.card: Final = card


class DrawSign(Move):
    """Nature draws the sign."""

    def __init__(self, sign: int) -> None:
        super().__init__(sign)
        self.sign: Final = sign


class DrawFirstSeat(Move):
    """Nature draws the seat that is active first."""

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.seat: Final = seat


SEALED_LAY: Final = LayStartTile(NO_TILE, NO_SQUARE)
"""The concealed move for laying a start tile: what other seats see."""
SEALED_PLACE: Final = PlaceTile(NO_SQUARE)
"""The concealed move for a placement: what other seats see."""

START_REACH: Final = 3
"""Greatest distance of a start tile from the first one."""


def _start_squares() -> list[int]:
    """By square, its index among those that start tiles can reach, in reading order; -1 for the others."""
    table = [-1] * SQUARES
    reached = range(-START_REACH, START_REACH + 1)
    for place, (y, x) in enumerate([(y, x) for y in reached for x in reached]):
        table[square_at(x, y)] = place
    return table


START_SQUARES: Final[list[int]] = _start_squares()
LAYS: Final[list[list[LayStartTile]]] = [
    [LayStartTile(tile, square) for square in range(SQUARES) if START_SQUARES[square] >= 0]
    for tile in range(FIRST_STORE_TILE)
]
"""Prebuilt `LayStartTile` moves by tile and index in `START_SQUARES`."""
ROTATIONS: Final = [RotateStore(offset) for offset in range(PILES)]
PLACEMENTS: Final = [PlaceTile(square) for square in range(SQUARES)]
PASS: Final = Pass()
LAUNCHES: Final = [Launch(square) for square in range(SQUARES)]
REVEALS: Final = [[RevealTile(pile, tile) for tile in range(len(TILES))] for pile in range(PILES)]
DEALS: Final = [[Deal(seat, card) for card in range(len(COMPOSITION_NAMES))] for seat in range(MAX_SEATS)]
SIGN_DRAWS: Final = [DrawSign(sign) for sign in range(len(SIGNS))]
FIRST_SEAT_DRAWS: Final = [DrawFirstSeat(seat) for seat in range(MAX_SEATS)]
