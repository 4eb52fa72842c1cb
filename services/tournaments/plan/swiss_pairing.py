"""Swiss pairing: tables of entrants near each other in a ranking, with as few repeated meetings as possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from services.tournaments.plan.matching import Matching
from services.tournaments.plan.plan import Table

STEPS_MOST: Final = 20_000
"""Limit of the steps of one search for tables of more than two: the combinations may be too many to try all."""

Meetings = Counter[tuple[int, int]]
"""How often two entrants have met; keys have the lower number first."""


def meetings(tables: Sequence[Table]) -> Meetings:
    """Count how often each pair of entrants met at these tables."""
    return Counter(pair for table in tables for pair in combinations(sorted(table), 2))


def neighbours(ranking: Sequence[int], size: int, met: Meetings) -> list[Table]:
    """Tables of `size` for all entrants in the ranking, whose number must be a multiple of it.

    The first goal is to minimise the greatest number of earlier meetings of two entrants at a common table. The second
    is nearness: the best entrant without a table chooses its table one by one, each time the entrant that has met
    those at the table least, and of equals the nearest in the ranking. It passes over a choice after which the first
    goal could not be reached.

    At tables of two the first goal is always reached. At larger tables the search ends after `STEPS_MOST` steps, with
    the best tables found by then.
    """
    tables = _nearest(ranking, size, met)
    search = _Search(size, met)
    while most := _most(tables, met):
        rarer = _pairs(ranking, met, most - 1, tables) if size == 2 else search.tables(ranking, most - 1)
        if rarer is None:
            break
        tables = rarer
    return tables


def _nearest(ranking: Sequence[int], size: int, met: Meetings) -> list[Table]:
    rest = list(ranking)
    tables: list[Table] = []
    while rest:
        table = [rest.pop(0)]
        while len(table) < size:
            nearest = min(rest, key=lambda other: _times(table, other, met))
            rest.remove(nearest)
            table.append(nearest)
        tables.append(tuple(table))
    return tables


def _times(table: Sequence[int], other: int, met: Meetings) -> int:
    """Sum of an entrant's meetings with those at a table."""
    return sum(met[_pair(one, other)] for one in table)


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def _most(tables: Sequence[Table], met: Meetings) -> int:
    """The greatest number of earlier meetings of two entrants at a common table."""
    return max((met[pair] for pair in meetings(tables)), default=0)


def _pairs(ranking: Sequence[int], met: Meetings, often: int, begun: Sequence[Table]) -> list[Table] | None:
    """Tables of two of which none has met more than `often` times, or None; the search starts from `begun`."""
    places = range(len(ranking))
    times = [[met[_pair(one, other)] for other in ranking] for one in ranking]
    matching = Matching([[other for other in places if other != one and times[one][other] <= often] for one in places])
    place = {entrant: number for number, entrant in enumerate(ranking)}
    for one, other in begun:
        if times[place[one]][place[other]] <= often:
            matching.pair(place[one], place[other])
    if not matching.complete():
        return None
    seated: set[int] = set()
    tables: list[Table] = []
    for one in places:
        if one not in seated:
            rest = [other for other in places[one + 1 :] if other not in seated and times[one][other] <= often]
            nearest = next(other for other in sorted(rest, key=times[one].__getitem__) if matching.settle(one, other))
            seated.add(nearest)
            tables.append((ranking[one], ranking[nearest]))
    return tables


class _Search:
    """Backtracking search for tables at which no two entrants have met more often than a limit, nearest first."""

    def __init__(self, size: int, met: Meetings) -> None:
        self._size: Final = size
        self._met: Final = met
        self._often = 0
        self._steps = STEPS_MOST

    def tables(self, ranking: Sequence[int], often: int) -> list[Table] | None:
        """Tables at which no two have met more than `often` times; None if there are none or the steps are used up."""
        self._often = often
        return self._seated(ranking)

    def _seated(self, rest: Sequence[int]) -> list[Table] | None:
        return self._filled((), rest[:1], rest) if rest else []

    def _filled(self, table: Table, fitting: Sequence[int], rest: Sequence[int]) -> list[Table] | None:
        """The table, filled with entrants from `fitting`, and the tables of the rest; None if impossible."""
        if len(table) == self._size:
            behind = self._seated(rest)
            return None if behind is None else [table, *behind]
        by_times = sorted(fitting, key=lambda other: _times(table, other, self._met))
        for number, other in enumerate(by_times):
            if not self._steps:
                return None
            self._steps -= 1
            left = [each for each in rest if each != other]
            among = by_times[number + 1 :] if table else left
            found = self._filled((*table, other), [each for each in among if self._fits(other, each)], left)
            if found is not None:
                return found
        return None

    def _fits(self, one: int, other: int) -> bool:
        return self._met[_pair(one, other)] <= self._often
