"""Ratings: one batch fit of the Plackett-Luce model, with intervals over blocks.

A match is broken into all pairs of its seats: the better ranked one wins, equal ranks are half a win each, and two
chairs of one entrant are no pair. Under Plackett-Luce the winner of a pair does not depend on who else sits there, so
the fit to the pairs estimates the same strengths. Only counts of pairs are kept, in whole numbers and by groups of
blocks: the order of results cannot matter, and the memory does not grow with them.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from math import log, sqrt
from typing import Final

import choix
import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from services.tournaments.results import BlockResult

Matrix = NDArray[np.float64]

GROUPS: Final = 128
"""Blocks are drawn anew one by one as long as there are no more of them than this, in so many groups beyond."""
PRIOR: Final = 0.5
"""Wins, and defeats, of each entrant against all others together that nobody played: a perfect record is finite."""
SCALE: Final = 400 / log(10)
"""A rating 400 higher wins ten times as often, as in chess; the mean of all ratings is 0."""
MOST_REPLICATES: Final = 400
LEAST_REPLICATES: Final = 100
WORK: Final = 20_000
"""Replicates times entrants."""
LEVEL: Final = 0.95
NORMAL_QUANTILE: Final = 1.959964
MOST_ITERATIONS: Final = 10_000
TOLERANCE: Final = 1e-5


@dataclass(frozen=True)
class Rating:
    """A rating with its 95 % interval."""

    value: float
    low: float
    high: float


class Pairs:
    """Who has beaten whom, by groups of blocks."""

    def __init__(self, entrants: int) -> None:
        self.entrants: Final = entrants
        self._groups: Final[list[array[int] | None]] = [None] * GROUPS
        self.blocks = 0

    def add(self, result: BlockResult) -> None:
        """Add a block."""
        self.blocks += 1
        counts = self._group(result.index % GROUPS)
        for match in result.matches:
            seats = list(zip(match.entrants, match.ranks, strict=True))
            for one, rank in seats:
                for other, other_rank in seats:
                    if one != other and rank <= other_rank:
                        counts[one * self.entrants + other] += 2 if rank < other_rank else 1

    def _group(self, number: int) -> array[int]:
        group = self._groups[number]
        if group is None:
            group = self._groups[number] = array("i", bytes(4 * self.entrants**2))
        return group

    def groups(self) -> Matrix:
        """Wins of each entrant (row) over each other (column) in each group that has blocks; a tie is half a win."""
        found = [np.frombuffer(group, np.intc) for group in self._groups if group is not None]
        wins = np.array(found, np.float64) / 2
        return wins.reshape(len(found), self.entrants, self.entrants)

    def matrix(self) -> list[list[float]]:
        """The same of all blocks together."""
        wins: list[list[float]] = self.groups().sum(axis=0).tolist()
        return wins or [[0.0] * self.entrants for _ in range(self.entrants)]


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
