"""The twelve signs of Spring Festival: scoring of a display by each, exploded or not (FW-57)."""

from __future__ import annotations

from typing import Final

from engine_core.games.spring_festival import components
from engine_core.games.spring_festival.display import Display
from engine_core.games.spring_festival.squares import DIAGONALS, SIDES, column, row

FORWARD_SIDES: Final = [components.EAST, components.SOUTH]
"""Two of the four sides, so that each pair of neighbours is visited once."""


def points(display: Display, sign: int) -> int:
    """The points of a display by a sign."""
    return components.SIGN_POINTS[sign] * scoring_count(display, components.SIGNS[sign])


def scoring_count(display: Display, sign: str) -> int:
    """How often a display has what the sign scores, by the sign's name."""
    if sign == "goat":
        return sum([numbers.count(1) == 1 for numbers in _lines(display, components.NUMBERS, True)])  # FW-59
    if sign == "rooster":
        return sum(
            [
                components.NUMBERS[tile] == 3 and display.complete_sparks(slot) > 0
                for slot, tile in enumerate(display.tiles)
            ]
        )
    if sign == "rabbit":
        return _pairs_of_twos(display)
    if sign == "dog":
        return sum(
            [
                components.NUMBERS[tile] == 4 and _sides_taken(display, slot) < 4
                for slot, tile in enumerate(display.tiles)
            ]
        )
    if sign == "snake":
        return sum([_sides_taken(display, slot) == 4 for slot in _slots_of(display, components.RED)])
    if sign == "tiger":
        return _largest_group(display, components.BLUE)
    if sign == "rat":
        return _with_like_neighbour(display, components.YELLOW, DIAGONALS)
    if sign == "monkey":
        return _with_like_neighbour(display, components.GREEN, SIDES)
    if sign == "dragon":
        return sum([display.complete_sparks(slot) for slot in range(len(display.tiles))]) // 2  # FW-66
    if sign == "pig":
        return _facing_arrows(display)
    if sign == "ox":
        return sum([len(set(numbers)) == 4 for numbers in _lines(display, components.NUMBERS, True)])
    return sum([len(set(colours)) == 4 for colours in _lines(display, components.TILE_COLOURS, False)])  # horse: FW-68


def _lines(display: Display, values: list[int], columns: bool) -> list[list[int]]:
    """The tiles' values (numbers or colours), by column or by row; gaps do not matter (FW-58)."""
    lines: dict[int, list[int]] = {}
    for slot, square in enumerate(display.squares):
        line = column(square) if columns else row(square)
        lines.setdefault(line, []).append(values[display.tiles[slot]])
    return list(lines.values())


def _slots_of(display: Display, colour: int) -> list[int]:
    return [slot for slot, tile in enumerate(display.tiles) if components.TILE_COLOURS[tile] == colour]


def _neighbours(display: Display, slot: int, directions: list[int]) -> list[int]:
    return [other for other in [display.neighbours[8 * slot + towards] for towards in directions] if other >= 0]


def _sides_taken(display: Display, slot: int) -> int:
    """How many of the four sides of a tile have a neighbour."""
    return len(_neighbours(display, slot, SIDES))


def _pairs_of_twos(display: Display) -> int:
    """Number of adjacent pairs of twos; a tile may be in several (FW-61)."""
    twos = [slot for slot, tile in enumerate(display.tiles) if components.NUMBERS[tile] == 2]
    return sum([other in twos for slot in twos for other in _neighbours(display, slot, FORWARD_SIDES)])


def _with_like_neighbour(display: Display, colour: int, directions: list[int]) -> int:
    """Number of tiles of a colour with a neighbour of that colour, each counted once (FW-65)."""
    alike = _slots_of(display, colour)
    return sum([any(other in alike for other in _neighbours(display, slot, directions)) for slot in alike])


def _largest_group(display: Display, colour: int) -> int:
    """Size of the largest group of tiles of a colour; a single tile is a group of one (FW-64)."""
    waiting = _slots_of(display, colour)
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


def _facing_arrows(display: Display) -> int:
    """Pairs of arrows that point at each other, diagonals too, each once (FW-67)."""
    pairs = 0
    for slot, tile in enumerate(display.tiles):
        for arrow in range(components.OPPOSITE):
            other = display.neighbours[8 * slot + arrow]
            if other >= 0 and components.ARROW_MASKS[tile] >> arrow & 1:
                pairs += components.ARROW_MASKS[display.tiles[other]] >> (arrow ^ components.OPPOSITE) & 1
    return pairs
