"""Tables of a round: entrants spread evenly over seats."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from services.tournaments.plan.tables import Combinations, EvenTables


@pytest.mark.parametrize(("entrants", "size"), [(5, 2), (6, 3), (4, 4), (3, 0), (7, 5)])
def test_combinations_are_complete_and_in_order(entrants: int, size: int) -> None:
    names = [10 + number for number in range(entrants)]
    assert list(Combinations(names, size)) == list(combinations(names, size))


def test_millions_of_tables_are_not_materialized() -> None:
    tables = Combinations(range(200), 5)
    assert len(tables) == 2_535_650_040
    assert tables[0] == (0, 1, 2, 3, 4)
    assert tables[len(tables) - 1] == (195, 196, 197, 198, 199)
    assert tables[1:3] == [(0, 1, 2, 3, 5), (0, 1, 2, 3, 6)]
    with pytest.raises(IndexError):
        tables[len(tables)]


@pytest.mark.parametrize(
    ("entrants", "size", "tables"),
    [
        (2, 4, [(0, 1, 0, 1)]),
        (2, 3, [(0, 1, 0), (0, 1, 1)]),
        (3, 5, [(0, 1, 2, 0, 1), (0, 1, 2, 0, 2), (0, 1, 2, 1, 2)]),
        (3, 3, [(0, 1, 2)]),
        (3, 2, [(0, 1), (0, 2), (1, 2)]),
    ],
)
def test_a_few_entrants_share_the_seats_as_evenly_as_possible(
    entrants: int, size: int, tables: list[tuple[int, ...]]
) -> None:
    mixes = EvenTables(range(entrants), size)
    assert list(mixes) == tables
    seats = Counter(entrant for table in mixes for entrant in table)
    assert len(set(seats.values())) == 1
