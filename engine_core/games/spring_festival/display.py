"""The display of a seat: its tiles, their neighbours, and chains of explosions."""

from __future__ import annotations

from typing import Final

from engine_core.game import ReduceValue, reduce_value
from engine_core.games.spring_festival.components import ARROWS, OPPOSITE, SPARK_MASKS, SPARKS
from engine_core.games.spring_festival.squares import CENTRE, DISTANCES, SIDES, STEPS, direction

MAX_TILES: Final = 16
NO_SLOT: Final = -1


class Display:
    """The tiles of one seat, in slots in the order in which their squares were first taken.

    `squares` and `tiles` go by slot; bit s of `exploded` is set when slot s shows its explosion; `neighbours` holds for
    each slot its eight neighbours by direction, as slots or `NO_SLOT`. `reachable` are the squares that a tile may be
    put on, in reading order: those of the tiles and those that share a side with one. Copies share the lists
    (`_is_shared`) until one of them changes: copy on write.
    """

    def __init__(
        self, squares: list[int], tiles: list[int], exploded: int, neighbours: list[int], reachable: list[int]
    ) -> None:
        self.squares = squares
        self.tiles = tiles
        self.exploded = exploded
        self.neighbours = neighbours
        self.reachable = reachable
        self._is_shared = False

    def __reduce__(self) -> ReduceValue:
        return reduce_value(self, ["squares", "tiles", "exploded", "neighbours", "reachable"])

    def copy(self) -> Display:
        """An independent copy: shared lists are copied before either changes."""
        copied = Display(self.squares, self.tiles, self.exploded, self.neighbours, self.reachable)
        self._is_shared = copied._is_shared = True
        return copied

    def _copy_shared(self) -> None:
        if self._is_shared:
            self.squares = self.squares[:]
            self.tiles = self.tiles[:]
            self.neighbours = self.neighbours[:]
            self.reachable = self.reachable[:]
            self._is_shared = False

    def slot_at(self, square: int) -> int:
        """The slot of the tile on a square, or `NO_SLOT`."""
        squares = self.squares
        for slot in range(len(squares)):
            if squares[slot] == square:
                return slot
        return NO_SLOT

    def free_squares(self) -> list[int]:
        """The free squares on which a tile may be put, in reading order."""
        return [square for square in self.reachable if self.slot_at(square) == NO_SLOT]

    def is_free(self, square: int) -> bool:
        """Whether the square is without a tile and one may be put there."""
        return square in self.reachable and self.slot_at(square) == NO_SLOT

    def nearest_free(self) -> int:
        """The free square with the least x² + y², the first in reading order among equals (FW-71)."""
        free = self.free_squares()
        nearest = free[0]
        for square in free:
            if DISTANCES[square] < DISTANCES[nearest]:
                nearest = square
        return nearest

    def put_tile(self, tile: int, square: int) -> int:
        """Put a tile, as a rocket, on a free square. Returns its slot."""
        self._copy_shared()
        slot = len(self.squares)
        neighbours = self.neighbours
        neighbours.extend([NO_SLOT] * 8)
        for other in range(slot):
            towards = direction(square, self.squares[other])
            if towards >= 0:
                neighbours[8 * slot + towards] = other
                neighbours[8 * other + (towards ^ OPPOSITE)] = slot
        self.squares.append(square)
        self.tiles.append(tile)
        self._add_reachable(square)
        for side in SIDES:
            if neighbours[8 * slot + side] == NO_SLOT:
                self._add_reachable(square + STEPS[side])
        return slot

    def replace_tile(self, slot: int, tile: int) -> int:
        """Put a tile, as a rocket, over the tile of a slot. Returns the replaced tile (FW-24)."""
        self._copy_shared()
        replaced = self.tiles[slot]
        self.tiles[slot] = tile
        self.exploded &= ~(1 << slot)
        return replaced

    def complete_sparks(self, slot: int) -> int:
        """Number of complete sparks on the edges of a tile, on either face (FW-29)."""
        complete = 0
        for side in SPARKS[self.tiles[slot]]:
            other = self.neighbours[8 * slot + side]
            if other >= 0 and SPARK_MASKS[self.tiles[other]] >> (side ^ OPPOSITE) & 1:
                complete += 1
        return complete

    def explosion_chain(self, first: int) -> int:
        """Mask of the exploded slots after the chain that starts at a slot and follows the arrows (FW-33 to FW-36)."""
        exploded = self.exploded | 1 << first
        neighbours = self.neighbours
        tiles = self.tiles
        waiting = [first]
        while waiting:
            slot = waiting.pop()
            for arrow in ARROWS[tiles[slot]]:
                other = neighbours[8 * slot + arrow]
                if other >= 0 and not exploded >> other & 1:
                    exploded |= 1 << other
                    waiting.append(other)
        return exploded

    def _add_reachable(self, square: int) -> None:
        reachable = self.reachable
        place = insertion_index(reachable, square)
        if place == len(reachable) or reachable[place] != square:
            reachable.insert(place, square)


def empty_display() -> Display:
    """A display before its first tile, which goes to the middle (FW-10)."""
    return Display([], [], 0, [], [CENTRE])


def insertion_index(numbers: list[int], number: int) -> int:
    """The leftmost insertion index of a number in an ascending list."""
    low = 0  # a loop: compiled, it takes 50 ns for 24 numbers, `bisect_left` 230 ns
    high = len(numbers)
    while low < high:
        middle = low + high >> 1
        if numbers[middle] < number:
            low = middle + 1
        else:
            high = middle
    return low


def slot_count(slots: int) -> int:
    """The number of slots in a mask."""
    number = 0
    while slots:
        slots &= slots - 1
        number += 1
    return number
