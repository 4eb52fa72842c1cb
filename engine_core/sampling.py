"""Random samples of packed cards (`engine_core.packed`), by which games deal what an observer has not seen."""

from __future__ import annotations

from collections.abc import Callable

from engine_core.packed import ONE, number_of


def deal(cards: int, count: int, bits: Callable[[int], int]) -> int:
    """`count` of the cards, every subset with the same chance: a Fisher-Yates shuffle that stops after `count` steps.

    `bits` is the `getrandbits` of a generator. Raises `ValueError` for more cards than there are.
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
