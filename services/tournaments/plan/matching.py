"""Maximum matching in a graph: Edmonds' blossom algorithm, with augmenting paths and contracted odd cycles."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final

NOBODY: Final = -1


class Matching:
    """A matching of a graph whose vertices are numbers from 0: pairs of neighbours that share no vertex."""

    def __init__(self, neighbours: Sequence[Sequence[int]]) -> None:
        """`neighbours` lists the neighbours of each vertex."""
        self.mates: Final = [NOBODY] * len(neighbours)
        """The vertex that each vertex is paired with, or `NOBODY`."""
        self._neighbours: Final = neighbours
        self._gone: Final = [False] * len(neighbours)

    def pair(self, one: int, other: int) -> None:
        """Pair two vertices that are not paired yet."""
        self.mates[one], self.mates[other] = other, one

    def complete(self) -> bool:
        """Pair all vertices (a perfect matching); False if that is impossible."""
        return all(self.mates[vertex] != NOBODY or self._augment(vertex) for vertex in range(len(self.mates)))

    def settle(self, one: int, other: int) -> bool:
        """Fix a pair if a perfect matching with it exists; otherwise change nothing. The matching must be perfect."""
        first, second = self.mates[one], self.mates[other]
        self._gone[one] = self._gone[other] = True
        if first == other:
            return True
        self.mates[first] = self.mates[second] = NOBODY
        if self._augment(first):
            self.pair(one, other)
            return True
        self._gone[one] = self._gone[other] = False
        self.pair(one, first)
        self.pair(other, second)
        return False

    def _augment(self, root: int) -> bool:
        """Find an augmenting path from the unpaired vertex `root`, and flip its pairs; False if there is none."""
        paths = _Paths(root, self._neighbours, self.mates, self._gone)
        end = paths.end()
        while end != NOBODY:
            before = paths.before[end]
            following = self.mates[before]
            self.pair(end, before)
            end = following
        return self.mates[root] != NOBODY


class _Paths:
    """Breadth-first search for an augmenting path; a blossom (odd cycle) is contracted to its base vertex."""

    def __init__(
        self, root: int, neighbours: Sequence[Sequence[int]], mates: Sequence[int], gone: Sequence[bool]
    ) -> None:
        vertices = len(mates)
        self.before: Final = [NOBODY] * vertices
        """The vertex before each one on its path, over an edge that is not in the matching."""
        self._root: Final = root
        self._neighbours: Final = neighbours
        self._mates: Final = mates
        self._gone: Final = gone
        self._base: Final[list[int]] = [*range(vertices)]
        """The base of the blossom that contains each vertex; the vertex itself if none does."""
        self._reached: Final = [False] * vertices
        self._waiting: Final[deque[int]] = deque()

    def end(self) -> int:
        """The unpaired vertex at the end of an augmenting path, or `NOBODY`."""
        self._reach(self._root)
        while self._waiting:
            vertex = self._waiting.popleft()
            for other in self._neighbours[vertex]:
                if self._gone[other] or self._base[vertex] == self._base[other] or self._mates[vertex] == other:
                    continue
                if self._is_even(other):
                    self._shrink(vertex, other)
                elif self.before[other] == NOBODY:
                    self.before[other] = vertex
                    if self._mates[other] == NOBODY:
                        return other
                    self._reach(self._mates[other])
        return NOBODY

    def _reach(self, vertex: int) -> None:
        self._reached[vertex] = True
        self._waiting.append(vertex)

    def _is_even(self, vertex: int) -> bool:
        """Whether it is the root, or was reached over an edge of the matching (an even number of steps)."""
        mate = self._mates[vertex]
        return vertex == self._root or (mate != NOBODY and self.before[mate] != NOBODY)

    def _shrink(self, one: int, other: int) -> None:
        """Contract the blossom that the edge between two even vertices closes."""
        base = self._common(one, other)
        round_ = {*self._marked(one, base, other), *self._marked(other, base, one)}
        for vertex, its_base in enumerate(self._base):
            if its_base in round_:
                self._base[vertex] = base
                if not self._reached[vertex]:
                    self._reach(vertex)

    def _common(self, one: int, other: int) -> int:
        """The base of the lowest common ancestor of two vertices in the search tree."""
        passed = set()
        while True:
            one = self._base[one]
            passed.add(one)
            if one == self._root or self._mates[one] == NOBODY:
                break
            one = self.before[self._mates[one]]
        while self._base[other] not in passed:
            other = self.before[self._mates[self._base[other]]]
        return self._base[other]

    def _marked(self, vertex: int, base: int, child: int) -> set[int]:
        """The bases on the path from a vertex to `base`; links it backwards, so that paths may cross the blossom."""
        bases = set()
        while self._base[vertex] != base:
            mate = self._mates[vertex]
            bases |= {self._base[vertex], self._base[mate]}
            self.before[vertex] = child
            child = mate
            vertex = self.before[mate]
        return bases
