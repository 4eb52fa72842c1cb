"""A sample of a few dozen things, as `random.sample` draws it, without its price: games deal what is unseen with it."""

from __future__ import annotations

from random import Random
from typing import Final

MOST: Final = 85
"""So many things at most: up to there `random.sample` takes its pool apart for all samples but the smallest."""
SMALL: Final = 5
SMALL_POOL: Final = 21


def sample(things: list[int], count: int, random: Random) -> list[int]:
    """So many of at most `MOST` things, every subset with the same chance; for a generator what `random.sample` draws.

    `things` is the caller's no more. Raises `ValueError` for more than there are.
    """
    if not 0 <= count <= len(things) <= MOST:
        raise ValueError(f"{count} of {len(things)} things, which are at most {MOST}")
    if count <= SMALL and len(things) > SMALL_POOL:
        return _picked(things, count, random)
    bits = random.getrandbits
    left = len(things)
    drawn: list[int] = []
    for _ in range(count):
        width = left.bit_length()
        place = bits(width)
        while place >= left:
            place = bits(width)
        left -= 1
        drawn.append(things[place])
        things[place] = things[left]
    return drawn


def _picked(things: list[int], count: int, random: Random) -> list[int]:
    """A few of many: a place that comes again is drawn again."""
    bits = random.getrandbits
    width = len(things).bit_length()
    places: list[int] = []
    while len(places) < count:
        place = bits(width)
        if place < len(things) and place not in places:
            places.append(place)
    return [things[place] for place in places]
