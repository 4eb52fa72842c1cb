from __future__ import annotations

from math import log

import numpy as np
import pytest

from services.tournaments.pairs import GROUPS, Pairs, interval
from services.tournaments.ratings import SCALE, ratings
from tests.services.tournaments.plans import block, rotated

STRENGTHS = np.array([0.0, 0.7, 0.2])


def won(pairs: Pairs) -> dict[tuple[int, int], float]:
    return {(pair.entrant, pair.opponent): pair.wins for pair in pairs.shares()}


def test_a_tie_is_half_a_win_each() -> None:
    pairs = Pairs(2)
    pairs.add(block(0, ([0, 1], [1, 1]), ([1, 0], [1, 1])))
    assert won(pairs) == {(0, 1): 1.0, (1, 0): 1.0}
    assert ratings(pairs, 0)[0].value == pytest.approx(0, abs=1e-6)


def test_two_chairs_of_one_entrant_are_no_pair() -> None:
    pairs = Pairs(2)
    pairs.add(block(0, ([0, 1, 0], [1, 2, 3])))
    assert won(pairs) == {(0, 1): 1.0, (1, 0): 1.0}


def test_entrants_that_never_met_are_no_pair() -> None:
    pairs = Pairs(3)
    pairs.add(rotated(0, [0, 1], [1, 0]))
    assert set(won(pairs)) == {(0, 1), (1, 0)}
    assert not won(Pairs(3))


def test_blocks_beyond_the_groups_are_counted() -> None:
    pairs = Pairs(2)
    for index in range(3 * GROUPS):
        pairs.add(rotated(index, [0, 1], [0, 1] if index % 4 else [1, 0]))
    assert won(pairs) == {(0, 1): 4.5 * GROUPS, (1, 0): 1.5 * GROUPS}
    assert ratings(pairs, 0)[0].value == pytest.approx(SCALE * log(3) / 2, abs=2)


def test_a_pair_that_always_ends_alike_has_an_interval_all_the_same() -> None:
    pairs = Pairs(2)
    for index in range(10):
        pairs.add(rotated(index, [0, 1], [1, 0]))
    [loser, winner] = pairs.shares()
    assert (loser.share, winner.share) == (0.0, 1.0)
    assert (winner.low, winner.high) == pytest.approx((0.025 ** (1 / 10), 1.0))
    assert (loser.low, loser.high) == pytest.approx((0.0, 1 - 0.025 ** (1 / 10)))


def test_one_block_tells_nothing() -> None:
    pairs = Pairs(2)
    pairs.add(rotated(0, [0, 1], [1, 0]))
    assert {(pair.low, pair.high) for pair in pairs.shares()} == {(0.0, 1.0)}


def drawn_blocks(
    tables: list[list[int]], blocks: int, luck: float, random: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Wins of entrant 0 over entrant 1, and their pairs of seats, by groups of blocks; the tables come in turn.

    As in `simulated`, chairs have luck of their own, which stays while the entrants move round.
    """
    wins, met = np.zeros(GROUPS), np.zeros(GROUPS)
    for first, table in enumerate(tables):
        indices = np.arange(first, blocks, len(tables))
        chairs = luck * random.standard_normal((len(indices), len(table)))
        for turn in range(len(table)):
            entrants = np.roll(table, turn)
            times = random.standard_exponential(chairs.shape) / np.exp(STRENGTHS[entrants] + chairs)
            for one in np.flatnonzero(entrants == 0):
                for other in np.flatnonzero(entrants == 1):
                    np.add.at(wins, indices % GROUPS, times[:, one] < times[:, other])
                    np.add.at(met, indices % GROUPS, 1)
    return wins[met > 0], met[met > 0]


@pytest.mark.parametrize(
    ("tables", "blocks", "luck"),
    [
        ([[0, 1]], 30, 0.0),
        ([[0, 1]], 400, 2.0),
        ([[0, 1, 2]], 60, 1.0),
        ([[0, 1, 0], [0, 1, 1]], 40, 1.0),
        ([[0, 1, 2, 0], [0, 1, 2, 1], [0, 1, 2, 2]], 40, 1.0),
    ],
)
def test_the_intervals_hold_the_truth_as_often_as_they_say(tables: list[list[int]], blocks: int, luck: float) -> None:
    random = np.random.default_rng(13)
    wins, met = drawn_blocks(tables, 300_000, luck, random)
    truth = wins.sum() / met.sum()
    rounds = 1000
    held = 0
    for _ in range(rounds):
        low, high = interval(*drawn_blocks(tables, blocks, luck, random))
        held += low <= truth <= high
    assert 0.93 <= held / rounds <= 0.97
