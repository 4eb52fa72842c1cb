"""Converts cards of Fire Bulls to messages and back."""

from __future__ import annotations

from typing import Final

from fireside.fire_bulls.v1 import field_numbers as fields
from fireside.fire_bulls.v1 import fire_bulls_pb2 as pb

from engine_core.games.fire_bulls.components import (
    COLOURS,
    FULL_DECK,
    GREEN,
    NO_POINT_CARDS,
    POINT_COUNTS,
    POINT_KINDS,
    WARRIORS,
)
from engine_core.packed import LANE_BITS, count_of
from services.engine import wire
from services.engine.codecs.ranges import pack_counts
from services.engine.wire import Writer

ATTACK_CARD_KINDS: Final = 6
"""Kinds of attack cards: five colours of bulls, and warriors."""
COUNT_BITS: Final = LANE_BITS
"""Bits for each kind in packed counts of attack cards."""
ATTACK_CARD_COUNTS: Final[list[int]] = [count_of(FULL_DECK, GREEN)] * len(COLOURS) + [WARRIORS]
"""Number of attack cards of each kind."""
POINT_CARD_COUNTS: Final[list[list[bytes]]] = [
    [
        wire.number(fields.PointCardCount.CARD, card + 1) + wire.number(fields.PointCardCount.COUNT, count)
        for count in range(total + 1)
    ]
    for card, total in enumerate(POINT_COUNTS)
]
"""For each kind of point cards, the bytes of `PointCardCount` for each count."""
MAX_CACHED_COUNTS: Final = 4096
"""Entries in the cache of a field, some hundred bytes each; a full cache is cleared."""


def packed_cards(cards: pb.AttackCards) -> int:
    """The attack cards of a message, packed; -1 if a count is below 0, or above the number of cards of its kind."""
    return pack_counts(
        [cards.blue, cards.yellow, cards.brown, cards.red, cards.green, cards.warrior], ATTACK_CARD_COUNTS, COUNT_BITS
    )


class PointCards:
    """Writer of a repeated `PointCardCount` field. Encoded counts are cached, since successive views repeat them."""

    def __init__(self, field: int) -> None:
        self._field: Final = field
        self._cached: Final[dict[bytes, bytes]] = {}

    def write(self, out: Writer, counts: bytes) -> None:
        """Write the counts, by kind, that are not 0."""
        if counts == NO_POINT_CARDS:
            return
        encoded = self._cached.get(counts)
        if encoded is None:
            encoded = self._encode(counts)
        out.raw(encoded)

    def _encode(self, counts: bytes) -> bytes:
        if len(self._cached) >= MAX_CACHED_COUNTS:
            self._cached.clear()
        out = Writer()
        for card in range(POINT_KINDS):
            if counts[card]:
                out.data(self._field, POINT_CARD_COUNTS[card][counts[card]])
        encoded = self._cached[counts] = out.to_bytes()
        return encoded
