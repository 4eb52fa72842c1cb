"""Ratings: one batch fit of the Plackett-Luce model, with intervals over blocks.

A match is broken into all pairs of its seats: the better ranked one wins, equal ranks are half a win each, and two
chairs of one entrant are no pair. Under Plackett-Luce the winner of a pair does not depend on who else sits there, so
the fit to the pairs estimates the same strengths.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from typing import Final

import choix
import numpy as np
from scipy.special import stdtrit

from services.tournaments.pairs import LEVEL, Matrix, Pairs

PRIOR: Final = 0.5
"""Wins, and defeats, of each entrant against all others together that nobody played: a perfect record is finite."""
SCALE: Final = 400 / log(10)
"""A rating 400 higher wins ten times as often, as in chess; the mean of all ratings is 0."""
MOST_REPLICATES: Final = 400
LEAST_REPLICATES: Final = 100
WORK: Final = 20_000
"""Replicates times entrants."""
NORMAL_QUANTILE: Final = 1.959964
MOST_ITERATIONS: Final = 10_000
TOLERANCE: Final = 1e-5


@dataclass(frozen=True)
class Rating:
    """A rating with its 95 % interval."""

    value: float
    low: float
    high: float


def ratings(pairs: Pairs, seed: int) -> list[Rating]:
    """The ratings of all entrants.

    The intervals come from a Bayesian bootstrap: blocks, and the wins of the prior too, are weighted anew at random
    many times, so that an interval is wide where little is known. With few blocks they are widened as Student's t is.
    """
    groups = pairs.groups()
    prior = _prior(pairs.entrants)
    best = _strengths(groups.sum(axis=0) + prior)
    random = np.random.Generator(np.random.PCG64(seed))
    replicates = max(LEAST_REPLICATES, min(MOST_REPLICATES, WORK // pairs.entrants))
    drawn = np.array([_strengths(_reweighted(groups, prior, random), best) for _ in range(replicates)])
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    wider = _widening(len(groups))
    lows, highs = best + wider * np.minimum(low - best, 0), best + wider * np.maximum(high - best, 0)
    return [
        Rating(float(value), float(least), float(most))
        for value, least, most in zip(SCALE * best, SCALE * lows, SCALE * highs, strict=True)
    ]


def _prior(entrants: int) -> Matrix:
    return PRIOR / (entrants - 1) * (1 - np.eye(entrants))


def _strengths(wins: Matrix, start: Matrix | None = None) -> Matrix:
    """Logarithms of the strengths, their mean 0."""
    found: Matrix = choix.ilsr_pairwise_dense(wins, initial_params=start, max_iter=MOST_ITERATIONS, tol=TOLERANCE)
    centred: Matrix = found - found.mean()
    return centred


def _reweighted(groups: Matrix, prior: Matrix, random: np.random.Generator) -> Matrix:
    weights = random.standard_exponential(len(groups))
    weights *= len(groups) / (weights.sum() or 1)
    wins: Matrix = np.tensordot(weights, groups, 1) + prior * random.standard_exponential(prior.shape)
    return wins


def _widening(groups: int) -> float:
    groups = max(groups, 2)
    return float(stdtrit(groups - 1, (1 + LEVEL) / 2)) / NORMAL_QUANTILE * sqrt(groups / (groups - 1))
