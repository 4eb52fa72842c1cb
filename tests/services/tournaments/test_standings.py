from __future__ import annotations

from random import Random

import numpy as np
import pytest

from services.tournaments.standings import Standings, interval
from services.tournaments.tally import Line, Tally
from tests.services.tournaments.plans import block, many, rotated
from tests.services.tournaments.simulated import drawn


def test_the_rows_say_what_was_played() -> None:
    standings = Standings(many(3, 2))
    standings.add(block(0, ([0, 1], [1, 2]), ([1, 0], [1, 1])))
    standings.add(block(1, ([0, 2], [2, 1]), ([2, 0], [1, 2])))
    rows = standings.rows()
    assert [(row.entrant, row.played, row.blocks) for row in rows] == [(2, 2, 1), (0, 4, 2), (1, 2, 1)]
    assert [row.win_share for row in rows] == [1.0, 0.375, 0.25]
    assert [row.mean_rank for row in rows] == [1.0, 1.5, 1.5]
    assert [row.mean_points for row in rows] == [9.0, 8.5, 8.5]


def test_a_win_is_shared_by_those_who_tie() -> None:
    tally = Tally(4, 4)
    tally.add(block(0, ([0, 1, 2, 3], [1, 1, 1, 4])))
    assert [line.win_share for line in tally.lines] == [pytest.approx(1 / 3)] * 3 + [0.0]


def test_an_entrant_with_two_chairs_has_played_twice() -> None:
    tally = Tally(2, 3)
    tally.add(block(0, ([0, 1, 0], [1, 3, 2]), ([1, 0, 0], [1, 2, 3]), ([0, 0, 1], [3, 1, 2])))
    assert [line.played for line in tally.lines] == [6, 3]
    assert [line.win_share for line in tally.lines] == pytest.approx([1 / 3, 1 / 3])


def test_the_order_of_results_cannot_matter() -> None:
    spec = many(4, 3, blocks=40)
    results = list(drawn(spec, [0.0, 0.2, 0.4, 1.0], 0.5, np.random.default_rng(3)))
    reports = []
    for seed in range(3):
        Random(seed).shuffle(results)
        standings = Standings(spec)
        for result in results:
            standings.add(result)
        reports.append(standings.report())
    assert reports[0] == reports[1] == reports[2]


def test_a_perfect_record_has_an_interval_below_it() -> None:
    standings = Standings(many(2, 2))
    for index in range(10):
        standings.add(rotated(index, [0, 1], [1, 0]))
    best, worst = standings.rows()
    assert (best.win_share, worst.win_share) == (1.0, 0.0)
    assert best.win_share_low == pytest.approx(0.025 ** (1 / 10))
    assert worst.win_share_high == pytest.approx(1 - 0.025 ** (1 / 10))


def test_one_block_tells_nothing() -> None:
    assert interval(Line(blocks=1, shares=7, squares=49), 10) == (0.0, 1.0)


def test_nobody_who_has_not_played_stands_above_those_who_have() -> None:
    standings = Standings(many(3, 2))
    standings.add(rotated(0, [0, 1], [1, 0]))
    assert [row.entrant for row in standings.rows()] == [1, 0, 2]


@pytest.mark.parametrize(
    ("entrants", "table_size", "blocks", "luck"), [(2, 2, 30, 0.0), (2, 2, 60, 2.0), (3, 3, 60, 1.0), (2, 4, 40, 1.0)]
)
def test_the_intervals_hold_the_truth_as_often_as_they_say(
    entrants: int, table_size: int, blocks: int, luck: float
) -> None:
    spec = many(entrants, table_size, blocks=blocks)
    strengths = [0.0, 0.7, 0.2][:entrants]
    random = np.random.default_rng(11)
    truth = Tally(entrants, table_size)
    for result in drawn(many(entrants, table_size, blocks=6000), strengths, luck, random):
        truth.add(result)
    held = 0
    rounds = 500
    for _ in range(rounds):
        tally = Tally(entrants, table_size)
        for result in drawn(spec, strengths, luck, random):
            tally.add(result)
        low, high = interval(tally.lines[0], tally.unit)
        held += low <= truth.lines[0].win_share <= high
    assert 0.93 <= held / rounds <= 0.97


def test_equal_bots_seldom_differ() -> None:
    spec = many(3, 3, blocks=30)
    random = np.random.default_rng(5)
    differing = 0
    rounds = 300
    for _ in range(rounds):
        standings = Standings(spec)
        for result in drawn(spec, [0.0] * 3, 1.0, random):
            standings.add(result)
        row = standings.rows()[0]
        differing += not row.win_share_low <= 1 / 3 <= row.win_share_high
    assert differing / rounds <= 0.12  # the best of three, each of which differs once in twenty
