"""Squares of a display, each as one number that increases in reading order; (0, 0) is the middle.

x grows to the right, y downwards. A row is wide enough that no display or picture wraps into the next row.
"""

from __future__ import annotations

from typing import Final

FARTHEST: Final = 15
"""No tile lies farther out than this, left, right, up or down (FW-23)."""
MIDDLE: Final = 16
WIDTH: Final = 33
SQUARES: Final = 1089
CENTRE: Final = 544
NO_SQUARE: Final = -1

STEPS: Final = [-33, -32, 1, 34, 33, 32, -1, -34]
"""Difference between a square and its neighbour, by direction."""
SIDES: Final = [0, 2, 4, 6]
"""The directions in which a neighbour shares a side."""
DIAGONALS: Final = [1, 3, 5, 7]

FARTHEST_STEP: Final = 34
_UNRELATED: Final = -1


def _direction_table() -> list[int]:
    table = [_UNRELATED] * (2 * FARTHEST_STEP + 1)
    for direction, step in enumerate(STEPS):
        table[step + FARTHEST_STEP] = direction
    return table


_DIRECTION_OF: Final[list[int]] = _direction_table()


def direction(start: int, end: int) -> int:
    """The direction, 0 to 7, from a square to one that touches it, diagonally too; -1 when they do not touch."""
    step = end - start + FARTHEST_STEP
    return _DIRECTION_OF[step] if 0 <= step <= 2 * FARTHEST_STEP else _UNRELATED


def square_at(x: int, y: int) -> int:
    """The square with these coordinates, each from -15 to 15."""
    return (y + MIDDLE) * WIDTH + x + MIDDLE


def column(square: int) -> int:
    """The x of a square."""
    return square % WIDTH - MIDDLE


def row(square: int) -> int:
    """The y of a square."""
    return square // WIDTH - MIDDLE


DISTANCES: Final[list[int]] = [column(square) ** 2 + row(square) ** 2 for square in range(SQUARES)]
"""Squared distance from the middle, x² + y², by square (FW-71)."""
