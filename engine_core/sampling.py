"""A sample of a few dozen cards, as `random.sample` draws it, without its price: games deal what is unseen with it.

Sets of cards are packed counts: one number, in which every kind of card has so many bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from mypy_extensions import i64

MOST: Final = 85
"""So many cards at most: up to there `random.sample` takes its pool apart for all samples but the smallest."""
SMALL: Final = 5
SMALL_POOL: Final = 21
FEW: Final = 4
"""So many words are made one by one in less time than all at once."""
WORD: Final = 4
"""Bytes that the generator makes at a time; a number below 256 is the upper bits of the last of them."""

TOP: Final = 1 << 60
"""One, shifted as far as packed counts reach. It is shifted back, since mypyc makes of `1 << n` a shift of 32 bits."""
TOP_BIT: Final = 60

Bits = Callable[[int], int]
"""The `getrandbits` of a generator."""


def deal(cards: int, width: int, count: int, bits: Bits) -> int:
    """So many of at most `MOST` cards, every subset with the same chance.

    Both are packed counts with `width` bits a kind, and not negative; all kinds together have `TOP_BIT` bits at most.

    A generator gives what `random.sample` would draw with it from the cards laid out in the order of their kinds, and
    stands behind it where it would stand behind that. Raises `ValueError` for more cards than there are.
    """
    there_are = _number(cards, width)
    if not 0 <= count <= there_are <= MOST:
        raise ValueError(f"{count} of {there_are} cards, which are at most {MOST}")
    if count <= SMALL and there_are > SMALL_POOL:
        return _picked(_laid_out(cards, width), width, count, bits)
    return cards - _left(cards, width, there_are, count, bits)


def _number(cards: i64, width: i64) -> i64:
    """How many cards there are of all kinds."""
    number: i64 = 0
    while cards:
        rest = cards >> width
        number += cards - (rest << width)
        cards = rest
    return number


def _laid_out(cards: i64, width: i64) -> list[int]:
    """The kinds of the cards, one by one."""
    pool: list[object] = []
    kind = 0
    mask = _one(width, 1) - 1
    while cards:
        lane = cards & mask
        thing: object = kind
        while lane:
            pool.append(thing)
            lane -= 1
        cards >>= width
        kind += 1
    return cast(list[int], pool)


def _left(cards: int, width: i64, left: i64, count: i64, bits: Bits) -> int:
    """What is left: each card is taken from where the generator says, and the last that is left comes to its place."""
    stay = left - count
    pool = _laid_out(cards, width) if stay else []  # where all are taken, no place matters
    things = cast(list[object], pool)  # numbers that are moved need not be unpacked
    half: i64 = 128
    shift: i64 = 0
    while left - stay > FEW:
        needed: int = left - stay  # words at least: one that gives a number too great is followed by another
        words = bits(8 * WORD * needed).to_bytes(WORD * needed, "little")
        last: i64 = WORD - 1
        while last < len(words):
            while left < half:
                half >>= 1
                shift += 1
            place: i64 = words[last] >> shift
            if place < left:
                left -= 1
                if stay:
                    things[place] = things[left]
            last += WORD
    while left > stay:
        while left < half:
            half >>= 1
            shift += 1
        place = bits(8 - shift)
        if place < left:
            left -= 1
            if stay:
                things[place] = things[left]
    remain: i64 = 0
    while left:
        left -= 1
        remain += _one(width, pool[left])
    return remain


def _one(width: i64, kind: i64) -> i64:
    """One card of a kind."""
    return TOP >> TOP_BIT - width * kind


def _picked(pool: list[int], width: int, count: int, bits: Bits) -> int:
    """A few of many: a place that comes again is drawn again."""
    size_bits = len(pool).bit_length()
    drawn = 0
    while count:
        place = bits(size_bits)
        if place < len(pool) and pool[place] >= 0:
            drawn += _one(width, pool[place])
            pool[place] = -1
            count -= 1
    return drawn
