"""Pairwise results of entrants and their intervals."""

from __future__ import annotations

from math import log

import pytest

from services.tournaments.plan.tables import EvenTables
from services.tournaments.results.pairs import MAX_BLOCK_GROUPS, Pairs, group_of
from services.tournaments.results.ratings import ELO_SCALE, ratings
from tests.services.tournaments.plans import block_result, rotated_block


def first_rating(pairs: Pairs) -> float:
    first = ratings(pairs)[0]
    assert first is not None
    return first.value


def wins_by_pair(pairs: Pairs) -> dict[tuple[int, int], float]:
    return {(pair.entrant, pair.opponent): pair.wins for pair in pairs.shares()}


def test_a_tie_is_half_a_win_each() -> None:
    pairs = Pairs(2, MAX_BLOCK_GROUPS)
    pairs.add(block_result(0, ([0, 1], [1, 1]), ([1, 0], [1, 1])))
    assert wins_by_pair(pairs) == {(0, 1): 1.0, (1, 0): 1.0}
    assert first_rating(pairs) == pytest.approx(0, abs=1e-6)


def test_two_seats_of_one_entrant_are_not_a_pair() -> None:
    pairs = Pairs(2, MAX_BLOCK_GROUPS)
    pairs.add(block_result(0, ([0, 1, 0], [1, 2, 3])))
    assert wins_by_pair(pairs) == {(0, 1): 1.0, (1, 0): 1.0}


def test_entrants_that_never_met_are_not_a_pair() -> None:
    pairs = Pairs(3, MAX_BLOCK_GROUPS)
    pairs.add(rotated_block(0, [0, 1], [1, 0]))
    assert set(wins_by_pair(pairs)) == {(0, 1), (1, 0)}
    assert not wins_by_pair(Pairs(3, MAX_BLOCK_GROUPS))


def test_blocks_above_the_number_of_groups_are_counted() -> None:
    pairs = Pairs(2, 3 * MAX_BLOCK_GROUPS)
    for index in range(3 * MAX_BLOCK_GROUPS):
        pairs.add(rotated_block(index, [0, 1], [0, 1] if index % 4 else [1, 0]))
    assert wins_by_pair(pairs) == {(0, 1): 4.5 * MAX_BLOCK_GROUPS, (1, 0): 1.5 * MAX_BLOCK_GROUPS}
    assert first_rating(pairs) == pytest.approx(ELO_SCALE * log(3) / 2, abs=2)


def test_a_pair_with_equal_results_still_has_an_interval() -> None:
    pairs = Pairs(2, MAX_BLOCK_GROUPS)
    for index in range(10):
        pairs.add(rotated_block(index, [0, 1], [1, 0]))
    [loser, winner] = pairs.shares()
    assert (loser.share, winner.share) == (0.0, 1.0)
    assert winner.interval == pytest.approx((0.025 ** (1 / 10), 1.0))
    assert loser.interval == pytest.approx((0.0, 1 - 0.025 ** (1 / 10)))


def test_fault34_a_pair_with_constant_results_still_has_an_interval() -> None:
    pairs = Pairs(2, MAX_BLOCK_GROUPS)
    for index in range(2):
        pairs.add(block_result(index, ([0, 1], [1, 2]), ([1, 0], [1, 2])))
    others = 1 - 0.025 ** (1 / 2)
    for pair in pairs.shares():
        assert pair.share == 0.5
        assert pair.interval == pytest.approx((0.5 - others / 2, 0.5 + others / 2))


def test_fault34_one_block_has_no_interval() -> None:
    pairs = Pairs(2, MAX_BLOCK_GROUPS)
    pairs.add(rotated_block(0, [0, 1], [1, 0]))
    assert {pair.interval for pair in pairs.shares()} == {None}


def test_fault35_a_pair_of_many_entrants_uses_all_its_blocks() -> None:
    entrants, blocks = 64, 40
    tables = EvenTables(range(entrants), 2)
    pairs = Pairs(entrants, blocks * len(tables))
    for number in range(blocks):
        pairs.add(rotated_block(number * len(tables), tables[0], [0, 1]))
    [winner, _] = pairs.shares()
    assert winner.interval == pytest.approx((0.025 ** (1 / blocks), 1.0))


@pytest.mark.parametrize("entrants", [64, 256])
def test_fault35_the_blocks_of_a_table_are_in_different_groups(entrants: int) -> None:
    tables = len(EvenTables(range(entrants), 2))
    for table in (0, 1, tables - 1):
        groups = {group_of(number * tables + table, 40 * tables) for number in range(40)}
        assert len(groups) > 25  # 34 are to be expected of 40 lots among 128
    assert len({group_of(table, tables) for table in range(entrants - 1)}) > 25


def test_few_blocks_have_one_group_each() -> None:
    assert len({group_of(index, MAX_BLOCK_GROUPS) for index in range(MAX_BLOCK_GROUPS)}) == MAX_BLOCK_GROUPS
