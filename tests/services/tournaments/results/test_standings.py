"""Standings: win shares, ranks and tie breaks."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from services.tournaments.results.standings import Standings
from services.tournaments.results.tally import Tally
from tests.services.tournaments.plans import block_result, rotated_block, spec_of
from tests.services.tournaments.simulated import simulated_blocks


def test_the_rows_count_the_matches_played() -> None:
    standings = Standings(spec_of(3, 2))
    standings.add(block_result(0, ([0, 1], [1, 2]), ([1, 0], [1, 1])))
    standings.add(block_result(1, ([0, 2], [2, 1]), ([2, 0], [1, 2])))
    rows = standings.rows()
    assert [(row.entrant, row.played, row.blocks) for row in rows] == [(2, 2, 1), (0, 4, 2), (1, 2, 1)]
    assert [row.win_share for row in rows] == [1.0, 0.375, 0.25]
    assert [row.mean_rank for row in rows] == [1.0, 1.5, 1.5]
    assert [row.mean_points for row in rows] == [9.0, 8.5, 8.5]


def test_a_win_is_shared_between_tied_entrants() -> None:
    tally = Tally(4)
    tally.add(block_result(0, ([0, 1, 2, 3], [1, 1, 1, 4])))
    assert [line.win_share for line in tally.lines] == [pytest.approx(1 / 3)] * 3 + [0.0]


def test_an_entrant_with_two_seats_has_played_twice() -> None:
    tally = Tally(2)
    tally.add(block_result(0, ([0, 1, 0], [1, 3, 2]), ([1, 0, 0], [1, 2, 3]), ([0, 0, 1], [3, 1, 2])))
    assert [line.played for line in tally.lines] == [6, 3]
    assert [line.win_share for line in tally.lines] == pytest.approx([1 / 3, 1 / 3])


def test_the_order_of_results_does_not_matter() -> None:
    spec = spec_of(4, 3, blocks=40)
    results = list(simulated_blocks(spec, [0.0, 0.2, 0.4, 1.0], 0.5, np.random.default_rng(3)))
    reports = []
    for seed in range(3):
        Random(seed).shuffle(results)
        standings = Standings(spec)
        for result in results:
            standings.add(result)
        reports.append(standings.report())
    assert reports[0] == reports[1] == reports[2]


def test_the_interval_of_a_perfect_record_extends_below_it() -> None:
    standings = Standings(spec_of(2, 2))
    for index in range(10):
        standings.add(rotated_block(index, [0, 1], [1, 0]))
    best, worst = standings.rows()
    assert (best.win_share, worst.win_share) == (1.0, 0.0)
    assert best.win_share_interval == pytest.approx((0.025 ** (1 / 10), 1.0))
    assert worst.win_share_interval == pytest.approx((0.0, 1 - 0.025 ** (1 / 10)))


def test_fault33_a_win_share_is_within_its_interval_if_seats_are_uneven() -> None:
    """At tables of three an entrant that has two seats in every other block: 12 of 12 seats, then 0 of 6."""
    standings = Standings(spec_of(2, 3, blocks=10))
    for index in range(20):
        two, one = (0, 1) if index % 2 else (1, 0)
        standings.add(block_result(index, *[([two, two, one], [2, 2, 1] if one == 1 else [1, 1, 3])] * 3))
    for row in standings.rows():
        assert row.win_share is not None
        assert row.win_share_interval is not None
        assert row.win_share_interval.low <= row.win_share <= row.win_share_interval.high


def test_fault34_a_constant_share_still_has_an_interval() -> None:
    standings = Standings(spec_of(2, 2))
    for index in range(2):
        standings.add(block_result(index, ([0, 1], [1, 2]), ([1, 0], [1, 2])))
    others = 1 - 0.025 ** (1 / 2)
    for row in standings.rows():
        assert row.win_share == 0.5
        assert row.win_share_interval == pytest.approx((0.5 - others / 2, 0.5 + others / 2))


def test_fault34_one_block_has_no_interval_and_without_blocks_there_are_no_figures() -> None:
    standings = Standings(spec_of(3, 2))
    assert {row.win_share for row in standings.rows()} == {None}
    standings.add(rotated_block(0, [0, 1], [1, 0]))
    [first, second, third] = standings.rows()
    assert (first.win_share, first.win_share_interval, second.win_share_interval) == (1.0, None, None)
    assert (third.win_share, third.win_share_interval, third.mean_points, third.mean_rank) == (None, None, None, None)
    assert standings.report().ratings[2] is None


def test_entrants_without_matches_rank_below_those_with_matches() -> None:
    standings = Standings(spec_of(3, 2))
    standings.add(rotated_block(0, [0, 1], [1, 0]))
    assert [row.entrant for row in standings.rows()] == [1, 0, 2]
