"""Tables of neighbours in a ranking, at which nobody meets again whom another table would spare that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from services.tournaments.plan.matching import Matching
from services.tournaments.plan.plan import Table

STEPS_MOST: Final = 20_000
"""Of one search for tables of more than two, of which there may be more than anybody can try."""

Meetings = Counter[tuple[int, int]]
"""How often two have met, the lower number first."""


def meetings(tables: Sequence[Table]) -> Meetings:
    """How often any two met at these tables."""
    return Counter(pair for table in tables for pair in combinations(sorted(table), 2))


def neighbours(ranking: Sequence[int], size: int, met: Meetings) -> list[Table]:
    """Tables for everybody in the ranking, whose number must be a multiple of the size.

    First, the pair at a common table that has met most often has met as rarely as can be. Second, the best entrant of
    those without a table chooses the others of its table, one after another: whoever has met that table least, and of
    those whoever stands nearest to it. It passes over whoever would leave the rest no tables at which the first holds.

    At tables of two the first always holds. At larger ones the search for it ends behind `STEPS_MOST`, and the best
    tables that it has found by then count.
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
    """How often one has met those at a table."""
    return sum(met[_pair(one, other)] for one in table)


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def _most(tables: Sequence[Table], met: Meetings) -> int:
    """How often the two at a common table have met who have met most often."""
    return max((met[pair] for pair in meetings(tables)), default=0)


def _pairs(ranking: Sequence[int], met: Meetings, often: int, begun: Sequence[Table]) -> list[Table] | None:
    """Pairs of which none has met more often than that, if there are any: what is begun with helps to find them."""
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
    """Looks for tables at which no two have met too often, the nearest first, and back again."""

    def __init__(self, size: int, met: Meetings) -> None:
        self._size: Final = size
        self._met: Final = met
        self._often = 0
        self._steps = STEPS_MOST

    def tables(self, ranking: Sequence[int], often: int) -> list[Table] | None:
        """Tables at which no two have met more often than that; None where there are none, or its steps are used up."""
        self._often = often
        return self._seated(ranking)

    def _seated(self, rest: Sequence[int]) -> list[Table] | None:
        return self._filled((), rest[:1], rest) if rest else []

    def _filled(self, table: Table, fitting: Sequence[int], rest: Sequence[int]) -> list[Table] | None:
        """The table, filled by some of those who fit to it, and the tables of the rest."""
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
