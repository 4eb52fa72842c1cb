from __future__ import annotations

from math import isfinite

import numpy as np
import pytest

from services.tournaments.pairs import Pairs
from services.tournaments.ratings import SCALE, ratings
from tests.services.tournaments.plans import many, rotated
from tests.services.tournaments.simulated import drawn

STRENGTHS = [0.0, 0.3, 1.0]
TRUTH = [SCALE * (strength - sum(STRENGTHS) / 3) for strength in STRENGTHS]


def rated(entrants: int, table_size: int, blocks: int, luck: float, seed: int, strengths: list[float]) -> Pairs:
    pairs = Pairs(entrants)
    for result in drawn(many(entrants, table_size, blocks=blocks), strengths, luck, np.random.default_rng(seed)):
        pairs.add(result)
    return pairs


@pytest.mark.parametrize(("table_size", "blocks"), [(2, 2000), (3, 2000), (5, 600)])
def test_the_strengths_are_found_whatever_the_table(table_size: int, blocks: int) -> None:
    found = ratings(rated(3, table_size, blocks, 0.0, 1, STRENGTHS), 0)
    for rating, truth in zip(found, TRUTH, strict=True):
        assert rating.low < rating.value < rating.high
        assert rating.value == pytest.approx(truth, abs=15)


def test_a_rating_400_higher_wins_ten_times_as_often() -> None:
    pairs = Pairs(2)
    for index in range(1100):
        pairs.add(rotated(index, [0, 1], [0, 1] if index % 11 else [1, 0]))
    first, second = ratings(pairs, 0)
    assert first.value - second.value == pytest.approx(400, abs=1)
    assert first.value + second.value == pytest.approx(0, abs=1e-6)


def test_the_intervals_hold_the_truth() -> None:
    rounds = 20
    held = 0
    for seed in range(rounds):
        found = ratings(rated(3, 3, 30, 0.0, seed, STRENGTHS), seed)
        held += sum(rating.low <= truth <= rating.high for rating, truth in zip(found, TRUTH, strict=True))
    assert held / rounds / 3 >= 0.88


def test_equal_bots_have_equal_ratings() -> None:
    rounds = 20
    differing = 0
    for seed in range(rounds):
        found = ratings(rated(3, 3, 30, 1.0, seed, [0.0] * 3), seed)
        differing += sum(not rating.low <= 0 <= rating.high for rating in found)
    assert differing / rounds / 3 <= 0.12


def test_a_perfect_record_is_finite_and_known_badly() -> None:
    pairs = Pairs(3)
    for index in range(40):
        pairs.add(rotated(index, [0, 1, 2], [2, 1, 0]))
    found = ratings(pairs, 0)
    assert all(isfinite(value) for rating in found for value in (rating.value, rating.low, rating.high))
    assert found[2].value > found[1].value > found[0].value
    assert found[2].high - found[2].low > 100


def test_the_ratings_follow_from_the_results_and_the_seed() -> None:
    pairs = rated(3, 3, 30, 1.0, 4, STRENGTHS)
    assert ratings(pairs, 5) == ratings(pairs, 5)


def test_nothing_is_known_of_a_tournament_that_has_not_begun() -> None:
    [first, _] = ratings(Pairs(2), 0)
    assert first.value == pytest.approx(0, abs=1e-6)
    assert first.low < -300 < 300 < first.high
