"""Cards are dealt as the standard library samples them."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from engine_core.packed import ONE_OF_KIND
from engine_core.sampling import sample_cards

KINDS = len(ONE_OF_KIND)


def pack_kinds(kinds: list[int]) -> int:
    return sum(ONE_OF_KIND[kind] for kind in kinds)


def shuffle_and_take(kinds: list[int], count: int, random: Random) -> list[int]:
    """A sample, drawn with the standard library's numbers below a bound."""
    pool, taken = list(kinds), []
    for left in range(len(pool), len(pool) - count, -1):
        place = random.randrange(left)
        taken.append(pool[place])
        pool[place] = pool[left - 1]
    return taken


@pytest.mark.parametrize("size", range(0, 63, 3))
def test_dealing_all_cards_equals_random_shuffle(size: int) -> None:
    kinds = sorted(card * 7 % KINDS for card in range(size))
    for count in range(size + 1):
        ours, theirs = Random(count), Random(count)
        assert sample_cards(pack_kinds(kinds), count, ours.getrandbits) == pack_kinds(
            shuffle_and_take(kinds, count, theirs)
        )
        assert ours.getrandbits(32) == theirs.getrandbits(32)


@pytest.mark.parametrize(("size", "count"), [(9, 3), (21, 20), (41, 33)])
def test_dealing_equals_random_sample(size: int, count: int) -> None:
    kinds = [card % KINDS for card in range(size)]
    for seed in range(20):
        kinds.sort()
        assert sample_cards(pack_kinds(kinds), count, Random(seed).getrandbits) == pack_kinds(
            Random(seed).sample(kinds, count)
        )


def test_every_subset_has_the_same_chance() -> None:
    random, times = Random(4), 20_000
    dealt = Counter(sample_cards(pack_kinds(list(range(6))), 3, random.getrandbits) for _ in range(times))
    subsets = [pack_kinds(list(kinds)) for kinds in combinations(range(6), 3)]
    assert sorted(dealt) == sorted(subsets)
    expected = times / len(subsets)
    assert (
        sum((dealt[subset] - expected) ** 2 / expected for subset in subsets) < 43.8
    )  # chi-square, 19 degrees, p 0.001


@pytest.mark.parametrize(("size", "count"), [(3, 4), (3, -1), (0, 1)])
def test_dealing_more_cards_than_there_are_is_refused(size: int, count: int) -> None:
    with pytest.raises(ValueError, match="cards"):
        sample_cards(pack_kinds(list(range(size))), count, Random(1).getrandbits)
