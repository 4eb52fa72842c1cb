"""Multisets of cards packed into one integer (SIMD within a register): add, compare and copy in one operation.

Up to ten kinds have a lane of six bits each, from the lowest bit on. The top bit of a lane stays 0 to catch a borrow,
so there may be 31 cards of a kind, and 62 in all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mypy_extensions import i64

LANE_BITS: Final = 6
"""Width of a lane in bits."""
LANE_MASK: Final = 0x3F
GUARD_BITS: Final = 0x820820820820820
ONE_OF_KIND: Final = [1 << LANE_BITS * kind for kind in range(10)]
"""One card of each kind, packed, by kind."""


def pack(counts: list[int]) -> int:
    """The counts of the kinds 0, 1, … as one number."""
    cards = 0
    for kind, count in enumerate(counts):
        cards += ONE_OF_KIND[kind] * count
    return cards


def unpack(cards: int, kinds: int) -> list[int]:
    """The counts of the kinds 0 to `kinds` - 1."""
    return [count_of(cards, kind) for kind in range(kinds)]


def count_of(cards: i64, kind: i64) -> int:
    """How many cards of a kind."""
    return cards >> LANE_BITS * kind & LANE_MASK


def size(cards: int) -> int:
    """Total number of cards: 64 is 1 modulo 63, so the remainder is the sum of the lanes."""
    return cards % 63


def is_superset(cards: int, part: int) -> bool:
    """Whether there are at least as many cards of every kind as in `part`."""
    return (cards | GUARD_BITS) - part & GUARD_BITS == GUARD_BITS


def intersection(one: int, other: int) -> int:
    """The lesser count of each kind (multiset intersection)."""
    enough = (one | GUARD_BITS) - other & GUARD_BITS
    lanes = enough - (enough >> LANE_BITS - 1)  # all bits but the top one of the kinds of which `other` has no more
    return other & lanes | one & ~lanes


def subtract(cards: int, part: int) -> int:
    """The cards without those of `part`; no count falls below 0."""
    return cards - intersection(cards, part)
