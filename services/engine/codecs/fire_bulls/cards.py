"""Cards of Fire Bulls in messages."""

from __future__ import annotations

from typing import Final

from engine_core.games.fire_bulls.cards import COLOURS, FULL_DECK, GREEN, POINT_COUNTS, WARRIORS, number_of
from services.engine import wire
from services.engine.wire import Writer

KINDS: Final = 6
"""Kinds of attack cards."""
WIDTH: Final = 8
"""Bits of the count of a kind in packed cards."""
MOST: Final[list[int]] = [number_of(FULL_DECK, GREEN)] * len(COLOURS) + [WARRIORS]
"""How many attack cards there are of each kind."""


def write_point_cards(out: Writer, field: int, counts: list[int]) -> None:
    """The point cards that there are, each with its number."""
    for card, count in enumerate(counts):
        if count:
            out.data(field, POINT_CARD_COUNTS[card][count])


POINT_CARD_COUNTS: Final[list[list[bytes]]] = [
    [wire.number(1, card + 1) + wire.number(2, count) for count in range(there_are + 1)]
    for card, there_are in enumerate(POINT_COUNTS)
]
