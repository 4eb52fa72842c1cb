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
        self.row: Final = bytearray(size)

    def put(self, place: int, value: int) -> None:
        """Set the number at a place, from -128 to 127."""
        if value:
            self.row[place] = value & 255

    def put_all(self, start: int, values: list[int]) -> None:
        """Set consecutive numbers."""
        self.row[start : start + len(values)] = bytes([value & 255 for value in values])

    def put_bytes(self, start: int, values: bytes) -> None:
        """Set consecutive numbers that are bytes already, from 0 to 127."""
        self.row[start : start + len(values)] = values

    def numbers(self) -> list[int]:
        """All numbers."""
        return [value - 256 if value > 127 else value for value in bytes(self.row)]
