"""SPRT: its log-likelihood ratio, and its error rates in simulated tests of entrants of known strengths.

`make sprt` simulates 2,000 tests of each hypothesis of every kind, and prints the rates and lengths.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from math import log, sqrt

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom

from services.tournaments.plan.sprt import Sprt
from services.tournaments.plan.tables import EvenTables
from services.tournaments.results.sprt import SequentialTest, SprtState, expected_score, log_likelihood_ratio

SIMULATED_TESTS = int(os.environ.get("FIRESIDE_SPRT_TESTS", "200"))
"""Tests of each hypothesis."""
BLOCKS_AT_ONCE = 100


@dataclass(frozen=True)
class TestKind:
    """Tests by simulated blocks, which `make test` simulates too if they are short."""

    __test__ = False

    sprt: Sprt
    table_size: int
    luck: float
    """Standard deviation of a seat's bonus in strength, which is the same in all matches of a block."""
    is_short: bool = False

    def strength(self, elo: float) -> float:
        """The strength of the first entrant of which it has the score of `elo`, in natural units; the second has 0.

        In the Plackett-Luce model two seats rank as they would without the others at the table.
        """
        nodes, weights = np.polynomial.hermite_e.hermegauss(60)
        luck = sqrt(2) * self.luck * nodes

        def excess(strength: float) -> float:
            return float(weights @ (1 / (1 + np.exp(-strength - luck))) / weights.sum()) - expected_score(elo)

        return float(brentq(excess, -50, 50))

    def scores(self, strength: float, random: np.random.Generator) -> Iterator[float]:
        """The first entrant's scores of blocks, drawn by strength."""
        tables = np.array(list(EvenTables(range(2), self.table_size)))
        while True:
            table = np.tile(tables, (BLOCKS_AT_ONCE // len(tables), 1))
            order = random.permuted(np.tile(np.arange(self.table_size), (len(table), 1)), axis=1)
            bonus = self.luck * random.standard_normal(table.shape)
            wins = np.zeros(len(table))
            for turn in range(self.table_size):
                entrants = np.take_along_axis(table, np.roll(order, -turn, axis=1), axis=1)
                powers = np.exp(np.where(entrants == 0, strength, 0) + bonus)
                times = random.standard_exponential(table.shape) / powers
                first, second = (np.where(entrants == entrant, times, np.nan) for entrant in range(2))
                wins += (first[:, :, None] < second[:, None, :]).sum(axis=(1, 2))
            pairs = np.count_nonzero(table == 0, axis=1) * np.count_nonzero(table == 1, axis=1) * self.table_size
            yield from (wins / pairs).tolist()

    def outcome(self, strength: float, random: np.random.Generator) -> SprtState:
        """The state of a test at its decision."""
        test = SequentialTest(self.sprt)
        scores = self.scores(strength, random)
        while not test.accepted:
            test.add(next(scores))
        return test.state()


KINDS = {
    "two seats": TestKind(Sprt(0, 30), 2, 0),
    "two seats, luck": TestKind(Sprt(0, 100), 2, 1, is_short=True),
    "two seats, much luck": TestKind(Sprt(0, 60), 2, 2, is_short=True),
    "two seats, other rates": TestKind(Sprt(-20, 30, 0.02, 0.1), 2, 1),
    "two seats, far apart": TestKind(Sprt(300, 400), 2, 1),
    "two seats, wide": TestKind(Sprt(0, 300), 2, 0),
    "three seats": TestKind(Sprt(0, 100), 3, 1, is_short=True),
    "four seats": TestKind(Sprt(-10, 20), 4, 1),
    "five seats, much luck": TestKind(Sprt(0, 40), 5, 2),
}


@pytest.mark.parametrize("kind", [name for name in KINDS if KINDS[name].is_short or SIMULATED_TESTS >= 2000])
def test_a_wrong_hypothesis_is_accepted_at_most_at_the_stated_rate(kind: str) -> None:
    sprt = KINDS[kind].sprt
    shown = []
    for truth, elo, rate in (("H0", sprt.elo0, sprt.alpha), ("H1", sprt.elo1, sprt.beta)):
        random, strength = np.random.default_rng(11), KINDS[kind].strength(elo)
        outcomes = [KINDS[kind].outcome(strength, random) for _ in range(SIMULATED_TESTS)]
        wrong = sum(state.accepted != truth for state in outcomes)
        blocks = sum(state.blocks for state in outcomes) / SIMULATED_TESTS
        shown.append(f"{truth} {wrong / SIMULATED_TESTS:6.2%} of {rate:.0%}, {blocks:.0f} blocks")
        assert wrong <= binom.ppf(0.999, SIMULATED_TESTS, rate)
    print(f"{kind:24} wrongly rejected: {'; '.join(shown)}")


def test_the_ratio_of_wins_and_losses_alone_is_walds() -> None:
    ratio = log_likelihood_ratio({0.0: 40, 1.0: 60}, 0.5, 0.55)
    assert ratio == pytest.approx(60 * log(0.55 / 0.5) + 40 * log(0.45 / 0.5))


def test_the_ratio_of_close_hypotheses_is_that_of_normal_scores() -> None:
    counts = {0.0: 1000, 0.25: 3000, 0.5: 4000, 0.75: 3100, 1.0: 900}
    scores = np.repeat(list(counts), list(counts.values()))
    normal = len(scores) * 0.004 * (2 * scores.mean() - 1.004) / (2 * scores.var())
    assert log_likelihood_ratio(counts, 0.5, 0.504) == pytest.approx(normal, rel=1e-3)


def test_the_ratio_is_the_same_for_the_other_entrant_and_the_negative_one_for_swapped_hypotheses() -> None:
    counts = {0.0: 3, 0.5: 11, 0.75: 2, 1.0: 9}
    mirrored = {1 - score: count for score, count in counts.items()}
    ratio = log_likelihood_ratio(counts, 0.5, 0.6)
    assert log_likelihood_ratio(mirrored, 0.5, 0.4) == pytest.approx(ratio)
    assert log_likelihood_ratio(counts, 0.6, 0.5) == -ratio


@pytest.mark.parametrize(("score", "accepted"), [(0.0, "H0"), (0.5, "H0"), (1.0, "H1")])
def test_blocks_that_are_all_alike_decide(score: float, accepted: str) -> None:
    test = SequentialTest(Sprt(0, 100))
    assert (test.state().blocks, test.state().llr, test.accepted) == (0, 0, "")
    while not test.accepted:
        test.add(score)
    assert test.accepted == accepted
    assert test.state().blocks < 20


def test_the_bounds_are_walds() -> None:
    state = SequentialTest(Sprt(0, 5, alpha=0.05, beta=0.1)).state()
    assert (state.lower, state.upper) == (log(0.1 / 0.95), log(0.9 / 0.05))
