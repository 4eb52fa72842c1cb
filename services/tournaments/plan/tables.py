"""Lazy sequences of the possible tables: combinations of entrants that are counted and indexed, but never stored."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import overload

from services.tournaments.plan.plan import Table


class Combinations(Sequence[Table]):
    """All combinations of `size` entrants, in lexicographic order of the list."""

    def __init__(self, entrants: Sequence[int], size: int) -> None:
        self._entrants = entrants
        self._size = size

    def __len__(self) -> int:
        return comb(len(self._entrants), self._size)

    @overload
    def __getitem__(self, index: int) -> Table: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Table]: ...
    def __getitem__(self, index: int | slice) -> Table | Sequence[Table]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        if not 0 <= index < len(self):
            raise IndexError(index)
        return self._combination_at(index)

    def _combination_at(self, index: int) -> Table:
        """The combination at an index: those that contain an entrant come before those that do not."""
        combination: list[int] = []
        for place, entrant in enumerate(self._entrants):
            wanted = self._size - len(combination)
            if wanted == 0:
                break
            with_it = comb(len(self._entrants) - place - 1, wanted - 1)
            if index < with_it:
                combination.append(entrant)
            else:
                index -= with_it
        return tuple(combination)


class EvenTables(Sequence[Table]):
    """All tables of `size` seats over which the entrants are spread evenly.

    With at least as many entrants as seats, nobody has two. With fewer, each has the same number of seats, and there
    is a table for every combination of entrants that can get the remaining seats.
    """

    def __init__(self, entrants: Sequence[int], size: int) -> None:
        whole, over = divmod(size, len(entrants))
        self._everybody = tuple(entrants) * whole
        self._remaining = Combinations(entrants, over)

    def __len__(self) -> int:
        return len(self._remaining)

    @overload
    def __getitem__(self, index: int) -> Table: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Table]: ...
    def __getitem__(self, index: int | slice) -> Table | Sequence[Table]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        return self._everybody + self._remaining[index]


class GauntletTables(EvenTables):
    """All tables of `size` seats, at least 2 and fewer than entrants, at which the first entrant sits, each once."""

    def __init__(self, entrants: Sequence[int], size: int) -> None:
        self._everybody = (entrants[0],)
        self._remaining = Combinations(entrants[1:], size - 1)
