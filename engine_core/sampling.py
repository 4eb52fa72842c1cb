"""Random deals of packed cards (`engine_core.packed`), used to determinize the cards that an observer has not seen."""

from __future__ import annotations

from collections.abc import Callable

from engine_core.packed import ONE_OF_KIND, count_of


def sample_cards(cards: int, count: int, getrandbits: Callable[[int], int]) -> int:
    """Draw `count` of the cards, each subset with equal probability: a Fisher-Yates shuffle cut after `count` steps.

    `getrandbits` is the method of a generator. Raises `ValueError` if there are fewer cards.
    """
    pool = [kind for kind in range(len(ONE_OF_KIND)) for _ in range(count_of(cards, kind))]
    left = len(pool)
    if not 0 <= count <= left:
        raise ValueError(f"{count} of {left} cards")
    dealt = 0
    for _ in range(count):
        width = left.bit_length()  # as `random.Random` draws, so that seeded bots choose as they always did
        place = getrandbits(width)
        while place >= left:
            place = getrandbits(width)
        left -= 1
        dealt += ONE_OF_KIND[pool[place]]
        pool[place] = pool[left]
    return dealt
