"""Coverage of the confidence intervals: share that contains the true value, in simulated tournaments.

`make intervals` draws ten times as many, and prints the shares.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass

import numpy as np
import pytest

from services.tournaments.plan.tables import EvenTables
from services.tournaments.results.estimates import Interval
from services.tournaments.results.ratings import ELO_SCALE
from services.tournaments.results.standings import Standings
from tests.services.tournaments.plans import spec_of
from tests.services.tournaments.simulated import simulated_blocks

SIMULATED_TOURNAMENTS = int(os.environ.get("FIRESIDE_INTERVAL_ROUNDS", "60"))
"""Tournaments of each kind."""
TRUTH_MATCHES = 12_000
MIN_COVERAGE = 0.93 if SIMULATED_TOURNAMENTS >= 500 else 0.89
"""What part of the intervals is to hold the truth; that of few rounds is itself known to a few per cent only."""


@dataclass(frozen=True)
class TournamentKind:
    """A round robin: entrants, blocks, luck and strengths."""

    entrants: int
    table_size: int
    blocks: int
    luck: float
    strengths: tuple[float, ...]

    def played(self, blocks: int, random: np.random.Generator) -> Standings:
        """The standings after simulated blocks."""
        spec = spec_of(self.entrants, self.table_size, blocks=blocks)
        standings = Standings(spec)
        for result in simulated_blocks(spec, list(self.strengths), self.luck, random):
            standings.add(result)
        return standings


TOURNAMENT_KINDS = {
    "equal seats": TournamentKind(2, 2, 30, 0, (0, 0.7)),
    "equal seats and luck": TournamentKind(3, 3, 60, 1, (0, 0.7, 0.2)),
    "much luck": TournamentKind(2, 2, 60, 2, (0, 0.7)),
    "much luck, 10 blocks": TournamentKind(3, 3, 10, 2, (0, 0.7, 0.2)),
    "two at three": TournamentKind(2, 3, 30, 1, (0, 0.7)),
    "two unequal at three": TournamentKind(2, 3, 100, 0, (0, 3)),
    "three at four": TournamentKind(3, 4, 20, 1, (0, 0.7, 0.2)),
    "three unequal at four": TournamentKind(3, 4, 20, 1, (0, 0.7, 3)),
    "five at four": TournamentKind(5, 4, 10, 1, (0, 0.7, 0.2, 1, 0.4)),
    "two at four, almost unbeaten": TournamentKind(2, 4, 30, 0, (0, 5)),
    "two at two, almost unbeaten": TournamentKind(2, 2, 40, 0, (0, 4)),
    "three at three, almost unbeaten": TournamentKind(3, 3, 20, 0, (0, 0.5, 5)),
    "2 blocks": TournamentKind(2, 2, 2, 1, (0, 0.7)),
    "3 blocks": TournamentKind(3, 3, 3, 1, (0, 0.7, 0.2)),
    "5 blocks": TournamentKind(3, 3, 5, 1, (0, 0.7, 0.2)),
    "5 blocks of two at three": TournamentKind(2, 3, 5, 1, (0, 0.7)),
    "10 blocks": TournamentKind(2, 2, 10, 1, (0, 0.7)),
    "opponents of very different strength": TournamentKind(8, 2, 10, 0, tuple(range(8))),
}


@dataclass
class CoverageCounts:
    """How many intervals each figure has had, and how many contained the true value."""

    all: Counter[str]
    held: Counter[str]

    def count(self, figure: str, interval: Interval | None, estimate: float, truth: float) -> None:
        """Count one interval of a figure, and whether it contains the true value."""
        assert interval is not None
        assert interval.low < interval.high
        assert interval.low <= estimate <= interval.high
        self.all[figure] += 1
        self.held[figure] += interval.low <= truth <= interval.high

    def share(self, figure: str) -> float:
        """The share of the intervals of a figure that contain the true value."""
        return self.held[figure] / self.all[figure]


def covered_counts(kind: TournamentKind, rounds: int, seed: int = 3) -> CoverageCounts:
    random = np.random.default_rng(seed)
    tables = len(EvenTables(range(kind.entrants), kind.table_size))
    truth = kind.played(max(2, TRUTH_MATCHES // (kind.table_size * tables)), random).report()
    shares = {row.entrant: row.win_share or 0.0 for row in truth.standings}
    pairs = {(pair.entrant, pair.opponent): pair.share for pair in truth.pairs}
    counts = CoverageCounts(Counter(), Counter())
    for _ in range(rounds):
        report = kind.played(kind.blocks, random).report()
        for row in report.standings:
            assert row.win_share is not None
            counts.count("shares", row.win_share_interval, row.win_share, shares[row.entrant])
        for pair in report.pairs:
            if kind.blocks > 1:
                counts.count("pairs", pair.interval, pair.share, pairs[pair.entrant, pair.opponent])
        for rating, true in zip(report.ratings, truth.ratings, strict=True):
            assert rating is not None
            assert true is not None
            counts.count("ratings", rating.interval, rating.value, true.value)
    return counts


@pytest.mark.parametrize("kind", TOURNAMENT_KINDS)
def test_fault33_fault34_intervals_contain_the_truth_at_their_confidence_level(kind: str) -> None:
    counts = covered_counts(TOURNAMENT_KINDS[kind], SIMULATED_TOURNAMENTS)
    print(f"{kind:40}", *[f"{figure} {counts.share(figure):.3f}" for figure in counts.all])
    assert min(map(counts.share, counts.all)) >= MIN_COVERAGE


@pytest.mark.parametrize(
    ("entrants", "blocks"),
    [(64, 1), (64, 5), *([(64, 40), (256, 1), (256, 3)] if SIMULATED_TOURNAMENTS >= 500 else [])],
)
def test_fault35_intervals_of_many_entrants_contain_the_truth_at_their_confidence_level(
    entrants: int, blocks: int
) -> None:
    """A pair of theirs has few blocks, or one; each entrant has many."""
    strengths = tuple(2 * number / entrants for number in range(entrants))
    kind = TournamentKind(entrants, 2, blocks, 0, strengths)  # without luck, the truth is known from the strengths
    random = np.random.default_rng(5)
    centred = ELO_SCALE * (np.array(strengths) - np.mean(strengths))
    chances = 1 / (1 + np.exp(np.subtract.outer(strengths, strengths).T))
    shares = (chances.sum(axis=1) - 0.5) / (entrants - 1)
    counts = CoverageCounts(Counter(), Counter())
    for _ in range(max(1, SIMULATED_TOURNAMENTS // 500)):
        report = kind.played(blocks, random).report()
        for row in report.standings:
            assert row.win_share is not None
            counts.count("shares", row.win_share_interval, row.win_share, shares[row.entrant])
        for pair in report.pairs:
            if blocks > 1:
                counts.count("pairs", pair.interval, pair.share, chances[pair.entrant, pair.opponent])
            else:
                assert pair.interval is None
        for rating, true in zip(report.ratings, centred, strict=True):
            assert rating is not None
            counts.count("ratings", rating.interval, rating.value, true)
    print(f"{entrants} entrants, {blocks} blocks", *[f"{figure} {counts.share(figure):.3f}" for figure in counts.all])
    assert min(map(counts.share, counts.all)) >= 0.89
