"""Plackett-Luce ratings of entrants."""

from __future__ import annotations

from math import isfinite

import numpy as np
import pytest

from services.tournaments.results.pairs import MAX_BLOCK_GROUPS, Pairs
from services.tournaments.results.ratings import ELO_SCALE, Rating, ratings
from tests.services.tournaments.plans import block_result, rotated_block, spec_of
from tests.services.tournaments.simulated import simulated_blocks

STRENGTHS = [0.0, 0.3, 1.0]
TRUE_RATINGS = [ELO_SCALE * (strength - sum(STRENGTHS) / 3) for strength in STRENGTHS]


def simulated_pairs(
    entrants: int, table_size: int, blocks: int, luck: float, seed: int, strengths: list[float]
) -> Pairs:
    pairs = Pairs(entrants, blocks * entrants)
    for result in simulated_blocks(
        spec_of(entrants, table_size, blocks=blocks), strengths, luck, np.random.default_rng(seed)
    ):
        pairs.add(result)
    return pairs


def known_ratings(pairs: Pairs) -> list[Rating]:
    return [rating for rating in ratings(pairs) if rating is not None]


@pytest.mark.parametrize(("table_size", "blocks"), [(2, 2000), (3, 2000), (5, 600)])
def test_strengths_are_estimated_at_tables_of_every_size(table_size: int, blocks: int) -> None:
    found = known_ratings(simulated_pairs(3, table_size, blocks, 0.0, 1, STRENGTHS))
    for rating, truth in zip(found, TRUE_RATINGS, strict=True):
        assert rating.interval is not None
        assert rating.interval.low < rating.value < rating.interval.high
        assert rating.value == pytest.approx(truth, abs=15)


def test_a_rating_400_higher_wins_ten_times_as_often() -> None:
    pairs = Pairs(2, 1100)
    for index in range(1100):
        pairs.add(rotated_block(index, [0, 1], [0, 1] if index % 11 else [1, 0]))
    first, second = known_ratings(pairs)
    assert first.value - second.value == pytest.approx(400, abs=1)
    assert first.value + second.value == pytest.approx(0, abs=1e-6)


def test_a_perfect_record_has_a_finite_rating_with_a_wide_interval() -> None:
    pairs = Pairs(3, MAX_BLOCK_GROUPS)
    for index in range(40):
        pairs.add(rotated_block(index, [0, 1, 2], [2, 1, 0]))
    found = known_ratings(pairs)
    assert all(isfinite(value) for rating in found for value in (rating.value, *(rating.interval or ())))
    assert found[2].value > found[1].value > found[0].value
    assert found[2].interval is not None
    assert found[2].interval.high - found[2].interval.low > 100


def test_fault34_one_block_has_no_interval_and_without_blocks_there_is_no_rating() -> None:
    pairs = Pairs(3, MAX_BLOCK_GROUPS)
    assert ratings(pairs) == [None, None, None]
    pairs.add(rotated_block(0, [0, 1], [0, 1]))
    [first, second, third] = ratings(pairs)
    assert first is not None
    assert second is not None
    assert first.value > second.value
    assert (first.interval, second.interval, third) == (None, None, None)


def test_fault34_ratings_of_equal_matches_have_a_wide_interval() -> None:
    pairs = Pairs(2, MAX_BLOCK_GROUPS)
    for index in range(10):
        pairs.add(block_result(index, ([0, 1], [1, 2]), ([1, 0], [1, 2])))
    for rating in known_ratings(pairs):
        assert rating.value == pytest.approx(0, abs=1e-6)
        assert rating.interval is not None
        assert rating.interval.high - rating.interval.low > 10
