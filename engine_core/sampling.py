"""Random deals of packed cards (`engine_core.packed`), used to determinize the cards that an observer has not seen."""

from __future__ import annotations

from collections.abc import Callable

from engine_core.packed import ONE, number_of


def deal(cards: int, count: int, bits: Callable[[int], int]) -> int:
    """Draw `count` of the cards, each subset with equal probability: a Fisher-Yates shuffle cut after `count` steps.

    `bits` is the `getrandbits` of a generator. Raises `ValueError` if there are fewer cards.
    """
    pool = [kind for kind in range(len(ONE)) for _ in range(number_of(cards, kind))]
    left = len(pool)
    if not 0 <= count <= left:
        raise ValueError(f"{count} of {left} cards")
    dealt = 0
    for _ in range(count):
        width = left.bit_length()  # as `random.Random` draws, so that seeded bots choose as they always did
        place = bits(width)
        while place >= left:
            place = bits(width)
        left -= 1
        dealt += ONE[pool[place]]
        pool[place] = pool[left]
    return dealt
