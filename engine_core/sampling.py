"""A sample of a few dozen things, as `random.sample` draws it, without its price: games deal what is unseen with it."""

from __future__ import annotations

from random import Random
from typing import Final, cast

MOST: Final = 85
"""So many things at most: up to there `random.sample` takes its pool apart for all samples but the smallest."""
SMALL: Final = 5
SMALL_POOL: Final = 21
FEW: Final = 3
"""So many words are made one by one in less time than all at once."""
WORD: Final = 4
"""Bytes that the generator makes at a time; a number below 256 is the upper bits of the last of them."""


def sample(things: list[int], count: int, random: Random) -> list[int]:
    """So many of at most `MOST` things, numbers from 0 on, every subset with the same chance; the last drawn is first.

    A generator gives what `random.sample` would draw with it, and stands behind it where it would stand behind that.
    `things` is the caller's no more. Raises `ValueError` for more than there are.
    """
    if not 0 <= count <= len(things) <= MOST:
        raise ValueError(f"{count} of {len(things)} things, which are at most {MOST}")
    if count <= SMALL and len(things) > SMALL_POOL:
        return _picked(things, count, random)
    pool = cast(list[object], things)  # numbers that are moved need not be unpacked
    left = len(pool)
    stay = left - count
    half = 128
    shift = 0
    while left - stay > FEW:
        needed = left - stay  # words at least: one that gives a number too great is followed by another
        words = random.getrandbits(8 * WORD * needed).to_bytes(WORD * needed, "little")
        for last in range(WORD - 1, WORD * needed, WORD):
            while left < half:
                half >>= 1
                shift += 1
            left = _drawn(pool, words[last] >> shift, left)
    while left > stay:
        while left < half:
            half >>= 1
            shift += 1
        left = _drawn(pool, random.getrandbits(8 - shift), left)
    return things[stay:]


def _drawn(pool: list[object], place: int, left: int) -> int:
    """Put what lies at a place behind those that are left, if it is one of them; how many are left then."""
    if place >= left:
        return left
    thing = pool[place]
    pool[place] = pool[left - 1]
    pool[left - 1] = thing
    return left - 1


def _picked(things: list[int], count: int, random: Random) -> list[int]:
    """A few of many: a place that comes again is drawn again."""
    width = len(things).bit_length()
    picked: list[int] = []
    while len(picked) < count:
        place = random.getrandbits(width)
        if place < len(things) and things[place] >= 0:
            picked.append(things[place])
            things[place] = -1
    picked.reverse()
    return picked
