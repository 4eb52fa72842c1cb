"""Swiss pairing: neighbours in the ranking meet, repeated meetings are avoided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from time import process_time

import pytest

from services.tournaments.plan.plan import Table
from services.tournaments.plan.swiss_pairing import Meetings, meetings, swiss_tables


def seatings(left: Sequence[int], size: int) -> Iterator[list[Table]]:
    """All ways to seat everybody."""
    if not left:
        yield []
    for others in combinations(left[1:], size - 1):
        table = (left[0], *others)
        for behind in seatings([each for each in left if each not in table], size):
            yield [table, *behind]


def most_repeats(tables: Sequence[Table], met_before: Meetings) -> int:
    """How often those have met before who have met most often and meet again."""
    return max(met_before[pair] for pair in meetings(tables))


def simulated_rounds(
    entrants: int, size: int, count: int, seed: int
) -> Iterator[tuple[list[int], Meetings, list[Table]]]:
    """Rounds of a tournament whose rankings are drawn: each with what was before it."""
    random = Random(seed)
    met_before = Meetings()
    for _ in range(count):
        ranking = random.sample(range(entrants), entrants)
        tables = swiss_tables(ranking, size, met_before)
        yield ranking, met_before, tables
        met_before = met_before + meetings(tables)


@pytest.mark.parametrize(("entrants", "size", "count"), [(6, 2, 9), (8, 2, 9), (6, 3, 4), (9, 3, 5), (8, 4, 3)])
@pytest.mark.parametrize("seed", range(5))
def test_entrants_do_not_meet_again_if_that_can_be_avoided(entrants: int, size: int, count: int, seed: int) -> None:
    for ranking, met_before, tables in simulated_rounds(entrants, size, count, seed):
        assert sorted(entrant for table in tables for entrant in table) == list(range(entrants))
        assert most_repeats(tables, met_before) == min(
            most_repeats(other, met_before) for other in seatings(ranking, size)
        )


@pytest.mark.parametrize("seed", range(5))
def test_the_higher_ranked_entrant_has_the_first_choice_among_feasible_opponents(seed: int) -> None:
    for ranking, met_before, tables in simulated_rounds(8, 2, 5, seed):
        spared = [
            other
            for other in seatings(ranking, 2)
            if most_repeats(other, met_before) == most_repeats(tables, met_before)
        ]
        if most_repeats(tables, met_before) == 0:
            assert tables == min(spared, key=lambda pairs: [ranking.index(other) for _, other in pairs])


def test_the_last_table_does_not_pay_for_the_choices_of_the_others() -> None:
    met_before = meetings([(2, 3), (0, 4)])
    assert swiss_tables([0, 1, 2, 3], 2, met_before) == [(0, 2), (1, 3)]
    assert swiss_tables([0, 1, 2, 3], 2, Meetings()) == [(0, 1), (2, 3)]


def test_all_of_a_pool_meet_before_any_two_meet_again() -> None:
    for seed in range(20):
        # With four rounds of seven possible ones, an opponent whom one has not met always remains.
        for number, (_, met_before, tables) in enumerate(simulated_rounds(8, 2, 4, seed)):
            assert most_repeats(tables, met_before) == 0, (seed, number)


def test_the_search_is_not_slower_if_some_have_met_more_often() -> None:
    def best_seconds(times: int) -> float:
        met_before = Meetings({(other, 39): times for other in range(39)})
        began = process_time()
        tables = swiss_tables(range(40), 4, met_before)
        assert most_repeats(tables, met_before) == times  # whom all have met meets some of them again
        return process_time() - began

    assert best_seconds(20) < 3 * best_seconds(1)


@pytest.mark.parametrize(("entrants", "size", "count"), [(256, 2, 100), (64, 4, 10), (255, 5, 20)])
def test_the_largest_fields_are_paired_quickly(entrants: int, size: int, count: int) -> None:
    began = process_time()
    repeated = sum(
        most_repeats(tables, met_before) > 0
        for _, met_before, tables in simulated_rounds(entrants, size, count, seed=1)
    )
    assert process_time() - began < count
    assert size > 2 or repeated == 0
