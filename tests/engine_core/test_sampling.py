"""Samples are those of the standard library."""

from __future__ import annotations

from random import Random

import pytest

from engine_core.sampling import MOST, sample


@pytest.mark.parametrize("size", range(0, MOST + 1, 3))
def test_a_sample_is_that_of_the_standard_library(size: int) -> None:
    for count in range(size + 1):
        ours, theirs = Random(count), Random(count)
        things = list(range(100, 100 + size))
        assert sample(things[:], count, ours) == theirs.sample(things, count)[::-1]
        assert ours.getrandbits(32) == theirs.getrandbits(32)


@pytest.mark.parametrize(("size", "count"), [(3, 4), (3, -1), (MOST + 1, 1)])
def test_what_cannot_be_drawn_is_refused(size: int, count: int) -> None:
    with pytest.raises(ValueError, match="things"):
        sample(list(range(size)), count, Random(1))
