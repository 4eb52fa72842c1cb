"""Win shares with 95 % confidence intervals, estimated from sums over independent blocks."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final, NamedTuple

CONFIDENCE_LEVEL: Final = 0.95


class Interval(NamedTuple):
    """A 95 % confidence interval."""

    low: float
    high: float


@dataclass
class BlockSums:
    """Sums over blocks, for a ratio and its variance; integers, so that the order of the blocks cannot matter."""

    blocks: int = 0
    wins: int = 0
    most: int = 0
    """The greatest possible `wins`."""
    wins_squared: int = 0
    """Sum of the blocks' `wins` squared."""
    wins_most: int = 0
    """Sum of the blocks' `wins` times `most`."""
    most_squared: int = 0
    """Sum of the blocks' `most` squared."""

    @staticmethod
    def of_block(wins: int, most: int) -> BlockSums:
        """The sums of one block."""
        return BlockSums(1, wins, most, wins * wins, wins * most, most * most)

    def add(self, other: BlockSums) -> None:
        """Add the sums of other blocks."""
        self.blocks += other.blocks
        self.wins += other.wins
        self.most += other.most
        self.wins_squared += other.wins_squared
        self.wins_most += other.wins_most
        self.most_squared += other.most_squared

    @property
    def complement(self) -> BlockSums:
        """The sums of the losses: `wins` becomes `most - wins`."""
        return BlockSums(
            self.blocks,
            self.most - self.wins,
            self.most,
            self.most_squared - 2 * self.wins_most + self.wins_squared,
            self.most_squared - self.wins_most,
            self.most_squared,
        )

    @property
    def share(self) -> float:
        """`wins / most`; 0 where there was nothing to win."""
        return self.wins / self.most if self.most else 0.0

    @property
    def block_variance(self) -> float:
        """The variance of a block's `wins` around `share` times its `most`."""
        residuals = self.wins_squared - 2 * self.share * self.wins_most + self.share**2 * self.most_squared
        return max(0.0, residuals / self.blocks)

    def interval(self) -> Interval | None:
        """The 95 % confidence interval of the share; None before the second block.

        Wilson's interval, with the variance of a ratio estimator over blocks (which may differ in `most`) and with
        Student's t: near 0 and 1, and for few blocks, it covers the true share more often than the share plus and
        minus a multiple of the standard error. If all blocks have the same share, the variance is 0; the interval is
        then as for coin tosses that all fell alike.
        """
        if self.blocks < 2 or not self.most:
            return None
        share = self.share
        # The sum of squared residuals times most²: in integers, so that no variance gives exactly 0.
        residuals = (
            self.wins_squared * self.most**2
            - 2 * self.wins * self.most * self.wins_most
            + self.wins**2 * self.most_squared
        )
        if not residuals:
            others = 1 - ((1 - CONFIDENCE_LEVEL) / 2) ** (1 / self.blocks)
            return Interval(share * (1 - others), share + (1 - share) * others)
        variance = residuals * self.blocks / (self.blocks - 1) / self.most**4
        # Wilson's z²/n: t² over the number of coin tosses with the same variance.
        weight = quantile(self.blocks) ** 2 * variance / (share * (1 - share))
        middle = (share + weight / 2) / (1 + weight)
        reach = sqrt(weight * share * (1 - share) + weight**2 / 4) / (1 + weight)
        return Interval(middle - reach, middle + reach)


def quantile(blocks: int) -> float:
    """The 97.5 % quantile of Student's t for a number of blocks: half the interval in standard errors."""
    from scipy.special import stdtrit  # here: SciPy takes 0.4 s to import, which most commands need not

    return float(stdtrit(blocks - 1, (1 + CONFIDENCE_LEVEL) / 2))
