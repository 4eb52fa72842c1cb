"""Estimates: shares with their 95 % intervals, from sums over blocks, of which none depends on another."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final, NamedTuple

from scipy.special import stdtrit

LEVEL: Final = 0.95


class Interval(NamedTuple):
    """Where the truth lies in 95 % of all tournaments of this kind."""

    low: float
    high: float


@dataclass
class Sums:
    """What blocks come to, in whole numbers, so that the order of the blocks cannot matter."""

    blocks: int = 0
    wins: int = 0
    most: int = 0
    """What `wins` would be if everything were won."""
    wins_squared: int = 0
    """Sum of the squares of the blocks."""
    wins_most: int = 0
    """Sum of the products."""
    most_squared: int = 0

    @staticmethod
    def of_block(wins: int, most: int) -> Sums:
        """The sums of one block."""
        return Sums(1, wins, most, wins * wins, wins * most, most * most)

    def add(self, other: Sums) -> None:
        """Add the sums of other blocks."""
        self.blocks += other.blocks
        self.wins += other.wins
        self.most += other.most
        self.wins_squared += other.wins_squared
        self.wins_most += other.wins_most
        self.most_squared += other.most_squared

    @property
    def lost(self) -> Sums:
        """The same of what was not won."""
        return Sums(
            self.blocks,
            self.most - self.wins,
            self.most,
            self.most_squared - 2 * self.wins_most + self.wins_squared,
            self.most_squared - self.wins_most,
            self.most_squared,
        )

    @property
    def share(self) -> float:
        """What part of everything was won; 0 where there was nothing to win."""
        return self.wins / self.most if self.most else 0.0

    def interval(self) -> Interval | None:
        """Where the share lies with 95 %; None before the second block.

        Wilson's interval with the variance of a ratio over blocks, which need not have equally much to win, and with
        Student's t: near 0 and 1, and for few blocks, it holds the truth more often than the share plus and minus so
        many errors does. Blocks that are all alike are like tosses of a coin that all fell alike: as many others as
        those allow may be won, or lost, as a whole.
        """
        if self.blocks < 2 or not self.most:
            return None
        share = self.share
        # times most², all in whole numbers: 0 is exactly 0
        residuals = (
            self.wins_squared * self.most**2
            - 2 * self.wins * self.most * self.wins_most
            + self.wins**2 * self.most_squared
        )
        if not residuals:
            others = 1 - ((1 - LEVEL) / 2) ** (1 / self.blocks)
            return Interval(share * (1 - others), share + (1 - share) * others)
        variance = residuals * self.blocks / (self.blocks - 1) / self.most**4
        # t² over the number of coin tosses that would vary as much
        weight = quantile(self.blocks) ** 2 * variance / (share * (1 - share))
        middle = (share + weight / 2) / (1 + weight)
        reach = sqrt(weight * share * (1 - share) + weight**2 / 4) / (1 + weight)
        return Interval(middle - reach, middle + reach)


def quantile(blocks: int) -> float:
    """How many standard errors an interval reaches to each side: Student's t."""
    return float(stdtrit(blocks - 1, (1 + LEVEL) / 2))
