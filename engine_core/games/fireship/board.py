"""The board of Fireship: squares, islands and shortest paths, as tables computed once from the drawn board.

A square is a number: row times 15 plus column, from the north-west. A base counts as one square, with the number of its
outermost corner.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from engine_core.games.fireship.components import BASE_LETTERS, FLIGHT, ROWS

SIZE: Final = 15
SQUARES: Final = SIZE * SIZE
ISLANDS: Final = 9
LAND: Final = "123456789"
PORT_LETTERS: Final = "abcdefghi"
NO_PORT: Final = -1

# Kinds of squares, by what happens when a pawn ends its move there.
PLAIN: Final = 0
WHEEL: Final = 1
BATTLESHIP_SQUARE: Final = 2
MYSTERY: Final = 3
SPECIAL_NAMES: Final = ["sea", "wheel", "battleship", "mystery"]
_SPECIAL: Final = {"O": WHEEL, "C": BATTLESHIP_SQUARE, "?": MYSTERY}

_UNREACHABLE: Final = 1000
MAX_STEPS: Final = 36
"""The longest move of a pawn: three sixes, at two squares a point."""


def _letter(square: int) -> str:
    return ROWS[square // SIZE][square % SIZE]


_LAND_LETTERS: Final[list[str]] = [*LAND, *BASE_LETTERS]
IS_SEA: Final[list[bool]] = [_letter(square) not in _LAND_LETTERS for square in range(SQUARES)]


def _adjacent(square: int) -> list[int]:
    """The squares to the north, west, east and south."""
    row, column = divmod(square, SIZE)
    places = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
    return [r * SIZE + c for r, c in places if 0 <= r < SIZE and 0 <= c < SIZE]


def _sea_squares_within(square: int, distance: int) -> list[int]:
    """The sea squares within a distance, diagonals included, the square itself among them."""
    row, column = divmod(square, SIZE)
    rows = range(max(0, row - distance), min(SIZE, row + distance + 1))
    columns = range(max(0, column - distance), min(SIZE, column + distance + 1))
    return [r * SIZE + c for r in rows for c in columns if IS_SEA[r * SIZE + c]]


def _squares_lettered(letter: str) -> list[int]:
    return [square for square in range(SQUARES) if _letter(square) == letter]


def _sorted_union(parts: list[list[int]]) -> list[int]:
    return sorted({square for part in parts for square in part})


SPECIAL: Final[list[int]] = [_SPECIAL.get(_letter(square), PLAIN) for square in range(SQUARES)]
NAMES: Final[list[str]] = [f"{'abcdefghijklmno'[square % SIZE]}{square // SIZE + 1}" for square in range(SQUARES)]
"""The names of the squares (FS-117)."""
BASES: Final[list[int]] = [0, SIZE - 1, SQUARES - 1, SQUARES - SIZE]
"""The base of each colour."""

ISLAND_CELLS: Final[list[list[int]]] = [_squares_lettered(island) for island in LAND]
PORTS: Final[list[int]] = [_squares_lettered(letter)[0] for letter in PORT_LETTERS]
PORT_OF: Final[list[int]] = [PORTS.index(square) if square in PORTS else NO_PORT for square in range(SQUARES)]
COASTS: Final[list[list[int]]] = [
    [square for square in _sorted_union([_adjacent(cell) for cell in cells]) if IS_SEA[square]]
    for cells in ISLAND_CELLS
]
NEARBY_SQUARES: Final[list[list[int]]] = [
    _sea_squares_within(square, 1) if IS_SEA[square] else [] for square in range(SQUARES)
]
"""Sea squares within one square of a sea square, itself included (FS-33)."""
KRAKEN_REACH: Final[list[list[int]]] = [
    _sea_squares_within(square, 2) if IS_SEA[square] else [] for square in range(SQUARES)
]
"""Sea squares within two squares of a square, itself included, by square (FS-73)."""
SQUARES_NEAR_ISLAND: Final[list[list[int]]] = [
    _sorted_union([_sea_squares_within(cell, 1) for cell in cells]) for cells in ISLAND_CELLS
]
NEARBY_ISLANDS: Final[list[list[int]]] = [
    [island for island in range(ISLANDS) if square in SQUARES_NEAR_ISLAND[island]] for square in range(SQUARES)
]


def _base_cells(square: int) -> list[int]:
    return _squares_lettered(_letter(square)) if square in BASES else [square]


def _steps(square: int) -> list[int]:
    """Squares that are one step away."""
    adjacent = _sorted_union([_adjacent(cell) for cell in _base_cells(square)])
    return [other for other in adjacent if IS_SEA[other]]


def _flights(square: int) -> list[int]:
    """Squares that are one flight away."""
    return [other for coast in COASTS if square in coast for other in coast if other != square]


STEPS: Final[list[list[int]]] = [_steps(square) for square in range(SQUARES)]
"""Squares one step away, by square; for a base at the number that it has."""
FLIGHTS: Final[list[list[int]]] = [_flights(square) for square in range(SQUARES)]
"""Squares one flight away, by square."""
_FLIGHTS: Final[list[list[list[int]]]] = [[[]] * SQUARES, FLIGHTS]
"""Squares one flight away, by whether the pawn flies and by square."""


class Paths:
    """The shortest paths from a square for a pawn that sails or flies; full squares may be passed (FS-24, FS-26).

    A square where no pawn can stand has no paths.
    """

    def __init__(self, start: int, flies: bool) -> None:
        stands = IS_SEA[start] or start in BASES
        self.lengths: Final[list[int]] = _lengths(start, _FLIGHTS[flies]) if stands else []
        """Steps to every square, `_UNREACHABLE` where there is no path."""
        self.targets: Final[list[int]] = _targets(self.lengths)
        """The squares that a pawn can end on, nearest first."""
        reached = [self.lengths[target] for target in self.targets]
        self.within: Final[list[int]] = [bisect_right(reached, steps) for steps in range(MAX_STEPS + 1)]
        """How many of the targets are within a number of steps, by that number."""


def _lengths(start: int, flights: list[list[int]]) -> list[int]:
    lengths = [_UNREACHABLE] * SQUARES
    waiting: list[list[int]] = [[] for _ in range(SQUARES + FLIGHT)]
    waiting[0].append(start)
    for length in range(SQUARES):
        for square in waiting[length]:
            if lengths[square] != _UNREACHABLE:
                continue
            lengths[square] = length
            for other in STEPS[square]:
                if lengths[other] == _UNREACHABLE:
                    waiting[length + 1].append(other)
            for other in flights[square]:
                if lengths[other] == _UNREACHABLE:
                    waiting[length + FLIGHT].append(other)
    return lengths


def _targets(lengths: list[int]) -> list[int]:
    """Reachable sea squares, nearest first, then northmost, then westmost (FS-114); not the square itself."""
    order = sorted([length * SQUARES + square for square, length in enumerate(lengths) if length and IS_SEA[square]])
    return [place % SQUARES for place in order]


_PATHS_CACHE: Final[list[list[Paths | None]]] = [[None] * SQUARES, [None] * SQUARES]
"""Cache of paths, by whether the pawn flies and by the start square."""


def paths_from(square: int, flies: bool) -> Paths:
    """The paths from a square, computed on first use."""
    paths = _PATHS_CACHE[flies][square]
    if paths is None:
        paths = _PATHS_CACHE[flies][square] = Paths(square, flies)
    return paths
