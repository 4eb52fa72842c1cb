"""Counts of cards by kind, packed into one integer, so that adding, comparing and copying them is one operation.

Up to ten kinds have six bits each, from the lowest on. The top one of the six stays 0 to catch a borrow: there may be
31 cards of a kind, and 62 in all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mypy_extensions import i64

LANE: Final = 6
"""Bits of a kind."""
MASK: Final = 0x3F
GUARDS: Final = 0x820820820820820
ONE: Final = [1 << LANE * kind for kind in range(10)]
"""One card, by its kind."""


def pack(counts: list[int]) -> int:
    """The counts of the kinds 0, 1, … as one number."""
    cards = 0
    for kind, count in enumerate(counts):
        cards += ONE[kind] * count
    return cards


def unpack(cards: int, kinds: int) -> list[int]:
    """The counts of so many kinds."""
    return [number_of(cards, kind) for kind in range(kinds)]


def number_of(cards: i64, kind: i64) -> int:
    """How many cards of a kind."""
    return cards >> LANE * kind & MASK


def size(cards: int) -> int:
    """How many cards in all: 64 is 1 modulo 63, so the remainder is the sum of the lanes."""
    return cards % 63


def covers(cards: int, part: int) -> bool:
    """Whether there are at least as many cards of every kind as in `part`."""
    return (cards | GUARDS) - part & GUARDS == GUARDS


def minimum(one: int, other: int) -> int:
    """For each kind the lesser number."""
    enough = (one | GUARDS) - other & GUARDS
    lanes = enough - (enough >> LANE - 1)  # all bits but the top one of the kinds of which `other` has no more
    return other & lanes | one & ~lanes


def without(cards: int, part: int) -> int:
    """The cards less those of `part`, not below none of any kind."""
    return cards - minimum(cards, part)
