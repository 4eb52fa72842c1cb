"""Ratings: one batch fit of the Plackett-Luce model, with intervals over blocks.

A match is broken into all pairs of its seats: the better ranked one wins, equal ranks are half a win each, and two
seats of one entrant are no pair. Under Plackett-Luce the winner of a pair does not depend on who else sits there, so
the fit to the pairs estimates the same strengths.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.tournaments.results.estimates import Interval, quantile
from services.tournaments.results.pairs import Matrix, Pairs

PRIOR_WINS: Final = 0.5
"""Virtual wins, and defeats, of each entrant against all others together: so a perfect record has a finite rating."""
ELO_SCALE: Final = 400 / log(10)
"""A rating 400 higher wins ten times as often, as in chess; the mean of all ratings is 0."""
MAX_ITERATIONS: Final = 10_000
TOLERANCE: Final = 1e-5


@dataclass(frozen=True)
class Rating:
    """An entrant's rating, on the scale of Elo with mean 0."""

    value: float
    interval: Interval | None
    """95 % interval, over blocks; None before the second block."""


def ratings(pairs: Pairs) -> list[Rating | None]:
    """The ratings of all entrants; None for those that have met no other.

    The intervals use Student's t. The variance is the sandwich estimator over the groups of blocks, plus the variance
    that the prior's virtual wins would have if they were random: for a perfect record all groups agree, so it has no
    other. In simulations these intervals covered the true ratings more often than a bootstrap's, at one fit instead of
    hundreds.
    """
    wins = _prior(pairs.entrants)
    played_in = np.zeros(pairs.entrants, np.int64)
    for group in pairs.groups():
        wins += group
        played_in += (group + group.T).any(axis=1)
    strengths = _strengths(wins)
    variances = _variances(pairs, wins, strengths, played_in)
    return [
        _rating(ELO_SCALE * float(strength), ELO_SCALE * float(variance) ** 0.5, int(groups))
        for strength, variance, groups in zip(strengths, variances, played_in, strict=True)
    ]


def _rating(value: float, error: float, groups: int) -> Rating | None:
    if groups < 2:
        return Rating(value, None) if groups else None
    reach = quantile(groups) * error
    return Rating(value, Interval(value - reach, value + reach))


def _prior(entrants: int) -> Matrix:
    return PRIOR_WINS / (entrants - 1) * (1 - np.eye(entrants))


def _strengths(wins: Matrix) -> Matrix:
    """Logarithms of the fitted strengths, shifted to mean 0."""
    import choix  # here: with SciPy it takes 0.7 s to import

    found: Matrix = choix.ilsr_pairwise_dense(wins, max_iter=MAX_ITERATIONS, tol=TOLERANCE)
    centred: Matrix = found - found.mean()
    return centred


def _variances(pairs: Pairs, wins: Matrix, strengths: Matrix, played_in: NDArray[np.int64]) -> Matrix:
    """Variances of the strengths, each corrected for the number of groups that its entrant has played in."""
    chances = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    weights = (wins + wins.T) * chances * (1 - chances)
    np.fill_diagonal(weights, 0)
    covariance = np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights)
    drawn: Matrix = np.zeros(pairs.entrants)
    for group in pairs.groups():
        drawn += np.square(covariance @ (group - (group + group.T) * chances).sum(axis=1))
    corrected: Matrix = drawn * played_in / np.maximum(played_in - 1, 1)
    # One factor for all wins of an entrant in the prior, and one for all its defeats, each with variance 1.
    unplayed = _prior(pairs.entrants) * (1 - chances)
    for pull in (np.diag(unplayed.sum(axis=1)) - unplayed, np.diag(unplayed.sum(axis=0)) - unplayed.T):
        corrected = corrected + np.square(pull @ covariance).sum(axis=0)
    return corrected
