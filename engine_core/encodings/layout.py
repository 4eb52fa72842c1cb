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
    """The numbers of an observation other than 0, each with its place: most are 0."""

    def __init__(self) -> None:
        self.places: Final[list[int]] = []
        self.values: Final[list[int]] = []

    def put(self, place: int, value: int) -> None:
        """Set the number at a place, at most once for each."""
        if value:
            self.places.append(place)
            self.values.append(value)

    def put_all(self, start: int, values: list[int]) -> None:
        """Set consecutive numbers."""
        place = start
        for value in values:
            if value:
                self.places.append(place)
                self.values.append(value)
            place += 1

    def dense(self, size: int) -> list[int]:
        """All numbers."""
        numbers = [0] * size
        for place, value in zip(self.places, self.values, strict=True):
            numbers[place] = value
        return numbers
