"""Cards are dealt as the standard library samples them."""

from __future__ import annotations

from random import Random

import pytest

from engine_core.sampling import MOST, deal

WIDTHS = pytest.mark.parametrize(("width", "most"), [(6, 10), (8, 6)], ids=["ten kinds", "six kinds"])


def packed(kinds: list[int], width: int) -> int:
    return sum(1 << width * kind for kind in kinds)


@WIDTHS
@pytest.mark.parametrize("size", range(0, MOST + 1, 3))
def test_what_is_dealt_is_the_sample_of_the_standard_library(size: int, width: int, most: int) -> None:
    for count in range(size + 1):
        ours, theirs = Random(count), Random(count)
        kinds = sorted(card * 7 % most for card in range(size))
        assert deal(packed(kinds, width), width, count, ours.getrandbits) == packed(theirs.sample(kinds, count), width)
        assert ours.getrandbits(32) == theirs.getrandbits(32)


@pytest.mark.parametrize(("size", "count"), [(3, 4), (3, -1), (MOST + 1, 1)])
def test_what_cannot_be_dealt_is_refused(size: int, count: int) -> None:
    kinds = [card % 10 for card in range(size)]
    with pytest.raises(ValueError, match="cards"):
        deal(packed(kinds, 6), 6, count, Random(1).getrandbits)
