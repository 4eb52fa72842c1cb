"""Tournament formats: the tables of round robin, gauntlet, Swiss and knockout rounds."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from time import process_time

import pytest

from services.tournaments.plan.formats import Round, check_size, next_tables, planned_blocks
from services.tournaments.plan.plan import FORMATS, InvalidSpec, Spec, Table
from services.tournaments.results.tally import Tally
from tests.services.tournaments.plans import block_result, rotated_block, spec_of


def played_out(spec: Spec, strongest: list[int] | None = None) -> list[Round]:
    """The rounds of a tournament that goes by strength; without, every match is a tie."""
    rounds: list[Round] = []
    while tables := next_tables(spec, rounds):
        tally = Tally(len(spec.entrants))
        for index, table in enumerate(tables):
            if strongest:
                tally.add(rotated_block(index, table, strongest))
            else:
                tally.add(block_result(index, (table, [1] * len(table))))
        rounds.append(Round(tables, tally))
    return rounds


def winner_of(rounds: list[Round]) -> int:
    lines = rounds[-1].tally.lines
    return max(range(len(lines)), key=lambda entrant: lines[entrant].win_share)


def test_a_round_robin_is_one_round_of_all_tables() -> None:
    [only] = played_out(spec_of(5, 3))
    assert list(only.tables) == list(combinations(range(5), 3))


@pytest.mark.parametrize("size", [2, 3, 4, 5])
@pytest.mark.parametrize("entrants", [6, 7, 30])
def test_a_gauntlet_is_one_round_of_all_tables_of_the_first_entrant(entrants: int, size: int) -> None:
    [only] = played_out(spec_of(entrants, size, "gauntlet"))
    assert list(only.tables) == [table for table in combinations(range(entrants), size) if 0 in table]


@pytest.mark.parametrize(("entrants", "size"), [(2, 2), (2, 5), (3, 4), (5, 5)])
def test_a_gauntlet_of_one_table_is_a_round_robin(entrants: int, size: int) -> None:
    [only] = played_out(spec_of(entrants, size, "gauntlet"))
    assert list(only.tables) == list(played_out(spec_of(entrants, size))[0].tables)


def test_a_million_tables_are_counted_without_listing_them() -> None:
    assert planned_blocks(spec_of(200, 5)) == 2_535_650_040


def test_too_many_blocks_are_refused() -> None:
    check_size(spec_of(64, 5))
    with pytest.raises(InvalidSpec, match=r"^blocks: 7624512000000 in all tables and rounds"):
        check_size(spec_of(64, 5, blocks=1_000_000))


def test_many_rounds_are_counted_without_pairing_them() -> None:
    began = process_time()
    assert planned_blocks(spec_of(64, 2, "swiss", rounds=100)) == 3200
    assert process_time() - began < 0.5


@pytest.mark.parametrize("entrants", range(2, 20))
@pytest.mark.parametrize("size", [2, 3, 4, 5])
@pytest.mark.parametrize("format", FORMATS)
def test_the_number_of_blocks_is_known_before_the_first_round(format: str, size: int, entrants: int) -> None:
    spec = spec_of(entrants, size, format, blocks=2)
    rounds = played_out(spec, list(reversed(range(entrants))))
    assert planned_blocks(spec) == 2 * sum(len(past.tables) for past in rounds)


@pytest.mark.parametrize("entrants", range(2, 30))
@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_the_strongest_wins_a_knockout(size: int, entrants: int) -> None:
    strongest = list(reversed(range(entrants)))
    assert winner_of(played_out(spec_of(entrants, size, "knockout"), strongest)) == entrants - 1


def test_a_knockout_of_equals_is_won_by_the_first_of_the_list() -> None:
    rounds = played_out(spec_of(9, 2, "knockout"))
    assert 0 in rounds[-1].tables[0]
    assert [list(past.tables) for past in rounds] == [
        [(1, 8), (2, 7), (3, 6), (4, 5)],
        [(1, 4), (2, 3)],
        [(1, 2)],
        [(0, 1)],
    ]


def test_a_loser_of_a_knockout_plays_no_further_round() -> None:
    strongest = [3, 1, 4, 0, 5, 2, *range(6, 27)]
    rounds = played_out(spec_of(27, 3, "knockout"), strongest)
    assert [len(past.tables) for past in rounds] == [9, 3, 1]
    eliminated: set[int] = set()
    for past in rounds:
        for table in past.tables:
            assert not eliminated & set(table)
            eliminated |= set(table) - {min(table, key=strongest.index)}


def test_entrants_of_a_small_last_group_have_several_seats_each() -> None:
    rounds = played_out(spec_of(8, 4, "knockout"), list(range(8)))
    assert [list(past.tables) for past in rounds] == [[(0, 3, 4, 7), (1, 2, 5, 6)], [(0, 1, 0, 1)]]


def pairs_of(tables: list[Table]) -> Counter[tuple[int, int]]:
    return Counter(pair for table in tables for pair in combinations(sorted(table), 2))


@pytest.mark.parametrize(("entrants", "size", "rounds"), [(8, 2, 4), (9, 3, 3), (16, 4, 3), (20, 5, 3)])
def test_a_swiss_tournament_finds_the_strongest_in_a_few_rounds(entrants: int, size: int, rounds: int) -> None:
    strongest = list(reversed(range(entrants)))
    played = played_out(spec_of(entrants, size, "swiss"), strongest)
    assert len(played) == rounds
    wins = Tally(entrants)
    for past in played:
        assert sorted(entrant for table in past.tables for entrant in table) == list(range(entrants))
        wins.merge(past.tally)
    assert max(wins.lines, key=lambda line: line.win_share) is wins.lines[entrants - 1]


@pytest.mark.parametrize("seed", range(5))
def test_the_best_of_a_swiss_tournament_meet_new_opponents_in_every_round(seed: int) -> None:
    played = played_out(spec_of(12, 2, "swiss", rounds=6, seed=seed), list(range(12)))
    met = pairs_of([table for past in played for table in past.tables])
    for past in played:
        assert met[tuple(sorted(past.tables[0]))] == 1  # type: ignore[index]


def test_nobody_sits_out_twice_in_a_swiss_tournament_before_all_have_once() -> None:
    played = played_out(spec_of(7, 2, "swiss", rounds=7), list(range(7)))
    resting = [set(range(7)) - {entrant for table in past.tables for entrant in table} for past in played]
    assert sorted(entrant for out in resting for entrant in out) == list(range(7))


def test_the_pairing_depends_only_on_the_seed_and_the_results() -> None:
    strongest = [4, 2, 0, 1, 3, 5, 7, 6]
    first, second = [
        [list(past.tables) for past in played_out(spec_of(8, 2, "swiss", seed=seed), strongest)] for seed in (7, 7)
    ]
    assert first == second
    assert first[0] != list(next_tables(spec_of(8, 2, "swiss", seed=8), []))
