"""SPRT: sequential probability ratio test of the Elo difference between two entrants, over the scores of blocks.

The generalised test (GSPRT) of H0 `elo = elo0` and H1 `elo = elo1`: the log-likelihood ratio compares the most likely
distributions of block scores whose mean is the score that each hypothesis expects, and Wald's bounds decide. It makes
no assumption about ties and luck: at tables of two a block of two matches has five scores (the pentanomial test of
engine testers), at larger ones more, of which the same formula takes those that occurred.

Formulas: Van den Bergh, "Comments on normalized Elo and the GSPRT" (2020), section 3; Owen, "Empirical likelihood"
(1988), for the constrained distribution; Wald, "Sequential Analysis" (1947), section 3.2, for the bounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import log
from typing import Final

from services.tournaments.plan.sprt import Sprt

PRIOR_BLOCKS: Final = {0.0: 1, 1.0: 1}
"""Blocks by score that are added to the played ones: so some distribution of the scores has any expected score.

Without them (0.001 of each instead) the variance of few blocks is often estimated too low: H0 was wrongly accepted in
7 % of simulated tests of 50 blocks with much luck, at a stated 5 %. They make such tests 10 to 25 % longer.
"""


@dataclass(frozen=True)
class SprtState:
    """The state of a test so far."""

    blocks: int
    """Blocks that it counts: all before the first one in the order of the plan that has no result."""
    llr: float
    """Log-likelihood ratio of H1 to H0."""
    lower: float
    """H0 is accepted at or below it."""
    upper: float
    """H1 is accepted at or above it."""
    accepted: str
    """The accepted hypothesis, `H0` or `H1`; empty before."""


class SequentialTest:
    """Decides from the blocks in the order of the plan, one at a time; blocks after the decision are not counted."""

    def __init__(self, sprt: Sprt) -> None:
        self._scores: Final = (expected_score(sprt.elo0), expected_score(sprt.elo1))
        self._bounds: Final = (log(sprt.beta / (1 - sprt.alpha)), log((1 - sprt.beta) / sprt.alpha))
        self._counts: Final = Counter(PRIOR_BLOCKS)
        self._prior_llr: Final = log_likelihood_ratio(self._counts, *self._scores)
        self._llr = 0.0

    @property
    def accepted(self) -> str:
        """The accepted hypothesis, `H0` or `H1`; empty before."""
        lower, upper = self._bounds
        return "H1" if self._llr >= upper else "H0" if self._llr <= lower else ""

    def add(self, score: float) -> None:
        """Count the next block, by the first entrant's share of wins in it: 0 to 1, 0.5 for equals."""
        self._counts[score] += 1
        self._llr = log_likelihood_ratio(self._counts, *self._scores) - self._prior_llr

    def state(self) -> SprtState:
        """The state after the blocks so far."""
        return SprtState(self._counts.total() - sum(PRIOR_BLOCKS.values()), self._llr, *self._bounds, self.accepted)


def expected_score(elo: float) -> float:
    """Expected share of wins against an entrant that is rated `elo` lower."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def log_likelihood_ratio(counts: Mapping[float, int], score0: float, score1: float) -> float:
    """Log-likelihood ratio of the mean `score1` to the mean `score0`, from the numbers of blocks by score."""
    return _log_likelihood(counts, score1) - _log_likelihood(counts, score0)


def _log_likelihood(counts: Mapping[float, int], mean: float) -> float:
    """Log-likelihood of the most likely distribution with that mean, less that of the most likely one of all.

    The most likely one has a share of blocks `1 / (1 + t (score - mean))` times the counted one (Owen), with the `t`
    that gives it that mean. The scores 0 and 1 must have blocks.
    """
    from scipy.optimize import brentq  # here: SciPy takes 0.4 s to import, which most commands need not

    offsets = [(score - mean, count) for score, count in counts.items()]

    def excess(tilt: float) -> float:
        return sum([count * offset / (1 + tilt * offset) for offset, count in offsets])

    # Between its poles, where the shares of the scores 0 and 1 become infinite, `excess` falls from plus to minus
    # infinity. At the root no share is above 1, so each divisor is at least one block's part of all.
    least = 0.5 / sum(counts.values())
    tilt = brentq(excess, (least - 1) / (1 - mean), (1 - least) / mean)
    return -sum([count * log(1 + tilt * offset) for offset, count in offsets])
