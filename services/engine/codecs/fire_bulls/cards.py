"""Cards of Fire Bulls in messages."""

from __future__ import annotations

from typing import Final

from fireside.fire_bulls.v1 import field_numbers as fields
from fireside.fire_bulls.v1 import fire_bulls_pb2 as pb

from engine_core.games.fire_bulls.components import (
    COLOURS,
    FULL_DECK,
    GREEN,
    NOTHING,
    POINT_COUNTS,
    POINT_KINDS,
    WARRIORS,
)
from engine_core.packed import LANE, number_of
from services.engine import wire
from services.engine.codecs.ranges import packed
from services.engine.wire import Writer

KINDS: Final = 6
"""Kinds of attack cards."""
WIDTH: Final = LANE
"""Bits of the count of a kind in packed cards."""
MOST: Final[list[int]] = [number_of(FULL_DECK, GREEN)] * len(COLOURS) + [WARRIORS]
"""How many attack cards there are of each kind."""
POINT_CARD_COUNTS: Final[list[list[bytes]]] = [
    [
        wire.number(fields.PointCardCount.CARD, card + 1) + wire.number(fields.PointCardCount.COUNT, count)
        for count in range(there_are + 1)
    ]
    for card, there_are in enumerate(POINT_COUNTS)
]
"""The messages of each kind and number."""
KEPT_MOST: Final = 4096
"""How many different counts are kept as a field tells them, some hundred bytes each, before others take their place."""


def packed_cards(cards: pb.AttackCards) -> int:
    """Attack cards, packed; -1 where a count is below 0, or above what there is of the kind."""
    return packed([cards.blue, cards.yellow, cards.brown, cards.red, cards.green, cards.warrior], MOST, WIDTH)


class PointCards:
    """Point cards in one field, each kind that there is with its number; kept, since many views tell the same."""

    def __init__(self, field: int) -> None:
        self._field: Final = field
        self._kept: Final[dict[bytes, bytes]] = {}

    def write(self, out: Writer, counts: bytes) -> None:
        """Write counts of point cards."""
        if counts == NOTHING:
            return
        fields = self._kept.get(counts)
        if fields is None:
            fields = self._tell(counts)
        out.raw(fields)

    def _tell(self, counts: bytes) -> bytes:
        if len(self._kept) >= KEPT_MOST:
            self._kept.clear()
        out = Writer()
        for card in range(POINT_KINDS):
            if counts[card]:
                out.data(self._field, POINT_CARD_COUNTS[card][counts[card]])
        fields = self._kept[counts] = out.done()
        return fields
