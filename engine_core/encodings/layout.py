"""Layout of observations: a fixed number of small integers, in named slices."""

from __future__ import annotations

from typing import Final


class Slice:
    """Consecutive numbers of an observation with one meaning, each from `low` to `high`, both included."""

    def __init__(self, name: str, start: int, size: int, low: int, high: int, text: str) -> None:
        self.name: Final = name
        self.start: Final = start
        self.size: Final = size
        self.low: Final = low
        self.high: Final = high
        self.text: Final = text
        """What the numbers are, in English."""


class Layout:
    """The slices of an observation, one after another."""

    def __init__(self) -> None:
        self.slices: Final[list[Slice]] = []
        self.size = 0

    def add(self, name: str, size: int, high: int, text: str, low: int = 0) -> int:
        """Append a slice; the place of its first number."""
        start = self.size
        self.slices.append(Slice(name, start, size, low, high, text))
        self.size += size
        return start


class Features:
    """The numbers of one observation, each a signed byte, while they are written; 0 until then."""

    def __init__(self, size: int) -> None:
        self._row: Final = bytearray(size)

    def put(self, place: int, value: int) -> None:
        """Set the number at a place, from -128 to 127."""
        if value:
            self._row[place] = value & 255

    def put_all(self, start: int, values: list[int]) -> None:
        """Set consecutive numbers, from 0 to 127."""
        self._row[start : start + len(values)] = bytes(values)

    def to_bytes(self) -> bytes:
        """All numbers."""
        return bytes(self._row)


BYTES: Final = [bytes([number]) for number in range(128)]
"""By number from 0 to 127, a slice of one number."""


def one_hot_table(size: int) -> list[bytes]:
    """By index, a row of `size` numbers in which that one is 1; the last row, also of index -1, has zeros only."""
    return [bytes([int(place == index) for place in range(size)]) for index in range(size + 1)]
