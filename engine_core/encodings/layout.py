"""Layout of observations: a fixed number of small integers, in named slices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine_core.packed import LANE_BITS, LANE_MASK

if TYPE_CHECKING:
    from mypy_extensions import i64


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


# An observation is joined of pieces that are ready: compiled, a piece takes 15 ns, a number set in a `bytearray` 50 ns.

BYTES: Final = [bytes([number]) for number in range(128)]
"""By number from 0 to 127, a slice of one number."""

PAIR_BITS: Final = 12  # literals, which compiled code has as constants
PAIR_MASK: Final = 0xFFF
COUNT_PAIRS: Final = [bytes([pair & LANE_MASK, pair >> LANE_BITS]) for pair in range(1 << PAIR_BITS)]
"""By two lanes of packed cards, their counts."""


def add_counts(pieces: list[bytes], cards: i64, kinds: i64) -> None:
    """Append the counts of packed cards; the number of kinds must be even."""
    while kinds > 0:
        pieces.append(COUNT_PAIRS[cards & PAIR_MASK])
        cards >>= PAIR_BITS
        kinds -= 2


def one_hot_table(size: int) -> list[bytes]:
    """By index, a row of `size` numbers in which that one is 1; the last row, also of index -1, has zeros only."""
    return [bytes([int(place == index) for place in range(size)]) for index in range(size + 1)]
