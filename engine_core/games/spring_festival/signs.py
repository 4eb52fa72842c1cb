"""The twelve signs of Spring Festival: scoring of a display by each, exploded or not (FW-57)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine_core.games.spring_festival import components
from engine_core.games.spring_festival.display import Display
from engine_core.games.spring_festival.squares import DIAGONALS, SIDES, column, row

FORWARD_SIDES: Final = [components.EAST, components.SOUTH]
"""Two of the four sides, so that each pair of neighbours is visited once."""


def points(display: Display, sign: int) -> int:
    """The points of a display by a sign."""
    return components.SIGN_POINTS[sign] * scoring_count(display, sign)


def scoring_count(display: Display, sign: int) -> int:
    """How often a display has what a sign scores."""
    is_about = components.SIGN_TILES[sign]
    chosen = [slot for slot, tile in enumerate(display.tiles) if is_about[tile]]
    return COUNTS_BY_SIGN[sign](display, chosen)


# What signs count, each of a display and the slots of the tiles that matter


def _columns_with_one(display: Display, chosen: list[int]) -> int:
    """Columns with exactly one of the tiles (FW-59)."""
    columns = [column(display.squares[slot]) for slot in chosen]
    return sum([columns.count(each) == 1 for each in columns])


def _tiles_with_spark(display: Display, chosen: list[int]) -> int:
    return sum([display.complete_sparks(slot) > 0 for slot in chosen])


def _pairs(display: Display, chosen: list[int]) -> int:
    """Pairs of the tiles that share a side; a tile may be in several (FW-61)."""
    return sum([other in chosen for slot in chosen for other in _neighbours(display, slot, FORWARD_SIDES)])


def _tiles_with_free_side(display: Display, chosen: list[int]) -> int:
    return sum([len(_neighbours(display, slot, SIDES)) < len(SIDES) for slot in chosen])


def _enclosed_tiles(display: Display, chosen: list[int]) -> int:
    return sum([len(_neighbours(display, slot, SIDES)) == len(SIDES) for slot in chosen])


def _largest_group(display: Display, chosen: list[int]) -> int:
    """Size of the largest group of the tiles; a single tile is a group of one (FW-64)."""
    waiting = chosen[:]
    largest = 0
    while waiting:
        group = [waiting.pop()]
        for slot in group:
            joined = [other for other in _neighbours(display, slot, SIDES) if other in waiting]
            for other in joined:
                waiting.remove(other)
            group.extend(joined)
        largest = max(largest, len(group))
    return largest


def _tiles_with_diagonal_match(display: Display, chosen: list[int]) -> int:
    return _with_match(display, chosen, DIAGONALS)


def _tiles_with_side_match(display: Display, chosen: list[int]) -> int:
    return _with_match(display, chosen, SIDES)


def _with_match(display: Display, chosen: list[int], directions: list[int]) -> int:
    """Number of the tiles that have another one as neighbour, each counted once (FW-65)."""
    return sum([any(other in chosen for other in _neighbours(display, slot, directions)) for slot in chosen])


def _sparks(display: Display, chosen: list[int]) -> int:
    """Complete sparks, each once (FW-66)."""
    return sum([display.complete_sparks(slot) for slot in chosen]) // 2


def _facing_arrows(display: Display, chosen: list[int]) -> int:
    """Pairs of arrows that point at each other, diagonals too, each once (FW-67)."""
    pairs = 0
    for slot in chosen:
        for arrow in range(components.OPPOSITE):
            other = display.neighbours[8 * slot + arrow]
            if other >= 0 and components.ARROW_MASKS[display.tiles[slot]] >> arrow & 1:
                pairs += components.ARROW_MASKS[display.tiles[other]] >> (arrow ^ components.OPPOSITE) & 1
    return pairs


def _columns_with_all_numbers(display: Display, chosen: list[int]) -> int:
    return sum([len(set(numbers)) == 4 for numbers in _lines(display, components.NUMBERS, True)])


def _rows_with_all_colours(display: Display, chosen: list[int]) -> int:
    """Rows only (FW-68)."""
    return sum([len(set(colours)) == 4 for colours in _lines(display, components.TILE_COLOURS, False)])


def _lines(display: Display, values: list[int], columns: bool) -> list[list[int]]:
    """The tiles' values (numbers or colours), by column or by row; gaps do not matter (FW-58)."""
    lines: dict[int, list[int]] = {}
    for slot, square in enumerate(display.squares):
        line = column(square) if columns else row(square)
        lines.setdefault(line, []).append(values[display.tiles[slot]])
    return list(lines.values())


def _neighbours(display: Display, slot: int, directions: list[int]) -> list[int]:
    return [other for other in [display.neighbours[8 * slot + towards] for towards in directions] if other >= 0]


COUNTS: Final[dict[str, Callable[[Display, list[int]], int]]] = {
    "column_with_one": _columns_with_one,
    "tile_with_spark": _tiles_with_spark,
    "pair": _pairs,
    "tile_with_free_side": _tiles_with_free_side,
    "enclosed_tile": _enclosed_tiles,
    "tile_of_largest_group": _largest_group,
    "tile_with_diagonal_match": _tiles_with_diagonal_match,
    "tile_with_side_match": _tiles_with_side_match,
    "spark": _sparks,
    "facing_arrows": _facing_arrows,
    "column_with_all_numbers": _columns_with_all_numbers,
    "row_with_all_colours": _rows_with_all_colours,
}
"""What a sign may count, in the order of the values of the enum `SignCount`."""

COUNTS_BY_SIGN: Final = [COUNTS[sign.counts] for sign in components.SIGN_CARDS]
