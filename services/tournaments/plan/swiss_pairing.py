"""Swiss pairing: tables of entrants near each other in a ranking, with as few repeated meetings as possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from services.tournaments.plan.matching import Matching
from services.tournaments.plan.plan import Table

MAX_STEPS: Final = 20_000
"""Limit of the steps of one search for tables of more than two: the combinations may be too many to try all."""

Meetings = Counter[tuple[int, int]]
"""How often two entrants have met; keys have the lower number first."""


def meetings(tables: Sequence[Table]) -> Meetings:
    """Count how often each pair of entrants met at these tables."""
    return Counter(pair for table in tables for pair in combinations(sorted(table), 2))


def swiss_tables(ranking: Sequence[int], size: int, met_before: Meetings) -> list[Table]:
    """Tables of `size` for all entrants in the ranking, whose number must be a multiple of it.

    The first goal is to minimise the greatest number of earlier meetings of two entrants at a common table. The second
    is nearness: the best entrant without a table chooses its table one by one, each time the entrant that has met
    those at the table least, and of equals the nearest in the ranking. It passes over a choice after which the first
    goal could not be reached.

    At tables of two the first goal is always reached. At larger tables the search ends after `MAX_STEPS` steps, with
    the best tables found by then.
    """
    tables = _greedy_tables(ranking, size, met_before)
    search = _TableSearch(size, met_before)
    while most := _most_meetings(tables, met_before):
        rarer = _tables_of_two(ranking, met_before, most - 1, tables) if size == 2 else search.tables(ranking, most - 1)
        if rarer is None:
            break
        tables = rarer
    return tables


def _greedy_tables(ranking: Sequence[int], size: int, met_before: Meetings) -> list[Table]:
    unseated = list(ranking)
    tables: list[Table] = []
    while unseated:
        table = [unseated.pop(0)]
        while len(table) < size:
            nearest = min(unseated, key=lambda other: _meeting_count(table, other, met_before))
            unseated.remove(nearest)
            table.append(nearest)
        tables.append(tuple(table))
    return tables


def _meeting_count(table: Sequence[int], other: int, met_before: Meetings) -> int:
    """Sum of an entrant's meetings with those at a table."""
    return sum(met_before[_pair(one, other)] for one in table)


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def _most_meetings(tables: Sequence[Table], met_before: Meetings) -> int:
    """The greatest number of earlier meetings of two entrants at a common table."""
    return max((met_before[pair] for pair in meetings(tables)), default=0)


def _tables_of_two(
    ranking: Sequence[int], met_before: Meetings, limit: int, initial: Sequence[Table]
) -> list[Table] | None:
    """Tables of two of which none has met more than `limit` times, or None; the search starts from `initial`."""
    places = range(len(ranking))
    times = [[met_before[_pair(one, other)] for other in ranking] for one in ranking]
    matching = Matching([[other for other in places if other != one and times[one][other] <= limit] for one in places])
    place = {entrant: number for number, entrant in enumerate(ranking)}
    for one, other in initial:
        if times[place[one]][place[other]] <= limit:
            matching.pair(place[one], place[other])
    if not matching.make_perfect():
        return None
    seated: set[int] = set()
    tables: list[Table] = []
    for one in places:
        if one not in seated:
            unseated = [other for other in places[one + 1 :] if other not in seated and times[one][other] <= limit]
            nearest = next(
                other for other in sorted(unseated, key=times[one].__getitem__) if matching.fix_pair(one, other)
            )
            seated.add(nearest)
            tables.append((ranking[one], ranking[nearest]))
    return tables


class _TableSearch:
    """Backtracking search for tables at which no two entrants have met more often than a limit, nearest first."""

    def __init__(self, size: int, met_before: Meetings) -> None:
        self._size: Final = size
        self._met_before: Final = met_before
        self._limit = 0
        self._steps = MAX_STEPS

    def tables(self, ranking: Sequence[int], limit: int) -> list[Table] | None:
        """Tables at which no two have met more than `limit` times; None if there are none or the steps are used up."""
        self._limit = limit
        return self._all_tables(ranking)

    def _all_tables(self, unseated: Sequence[int]) -> list[Table] | None:
        return self._fill_table((), unseated[:1], unseated) if unseated else []

    def _fill_table(self, table: Table, fitting: Sequence[int], unseated: Sequence[int]) -> list[Table] | None:
        """The table, filled with entrants from `fitting`, and the tables of the rest; None if impossible."""
        if len(table) == self._size:
            later = self._all_tables(unseated)
            return None if later is None else [table, *later]
        by_times = sorted(fitting, key=lambda other: _meeting_count(table, other, self._met_before))
        for number, other in enumerate(by_times):
            if not self._steps:
                return None
            self._steps -= 1
            left = [each for each in unseated if each != other]
            among = by_times[number + 1 :] if table else left
            found = self._fill_table((*table, other), [each for each in among if self._fits(other, each)], left)
            if found is not None:
                return found
        return None

    def _fits(self, one: int, other: int) -> bool:
        return self._met_before[_pair(one, other)] <= self._limit
