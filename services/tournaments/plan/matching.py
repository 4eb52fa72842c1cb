"""Maximum matching in a graph: Edmonds' blossom algorithm, with augmenting paths and contracted odd cycles."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final

UNMATCHED: Final = -1


class Matching:
    """A matching of a graph whose vertices are numbers from 0: pairs of neighbours that share no vertex."""

    def __init__(self, neighbours: Sequence[Sequence[int]]) -> None:
        """`neighbours` lists the neighbours of each vertex."""
        self.mates: Final = [UNMATCHED] * len(neighbours)
        """The vertex that each vertex is paired with, or `NOBODY`."""
        self._neighbours: Final = neighbours
        self._removed: Final = [False] * len(neighbours)

    def pair(self, one: int, other: int) -> None:
        """Pair two vertices that are not paired yet."""
        self.mates[one], self.mates[other] = other, one

    def make_perfect(self) -> bool:
        """Pair all vertices (a perfect matching); False if that is impossible."""
        return all(self.mates[vertex] != UNMATCHED or self._augment(vertex) for vertex in range(len(self.mates)))

    def fix_pair(self, one: int, other: int) -> bool:
        """Fix a pair if a perfect matching with it exists; otherwise change nothing. The matching must be perfect."""
        first, second = self.mates[one], self.mates[other]
        self._removed[one] = self._removed[other] = True
        if first == other:
            return True
        self.mates[first] = self.mates[second] = UNMATCHED
        if self._augment(first):
            self.pair(one, other)
            return True
        self._removed[one] = self._removed[other] = False
        self.pair(one, first)
        self.pair(other, second)
        return False

    def _augment(self, root: int) -> bool:
        """Find an augmenting path from the unpaired vertex `root`, and flip its pairs; False if there is none."""
        paths = _Paths(root, self._neighbours, self.mates, self._removed)
        unpaired_end = paths.unpaired_end()
        while unpaired_end != UNMATCHED:
            previous = paths.previous[unpaired_end]
            following = self.mates[previous]
            self.pair(unpaired_end, previous)
            unpaired_end = following
        return self.mates[root] != UNMATCHED


class _Paths:
    """Breadth-first search for an augmenting path; a blossom (odd cycle) is contracted to its base vertex."""

    def __init__(
        self, root: int, neighbours: Sequence[Sequence[int]], mates: Sequence[int], removed: Sequence[bool]
    ) -> None:
        vertices = len(mates)
        self.previous: Final = [UNMATCHED] * vertices
        """The vertex before each one on its path, over an edge that is not in the matching."""
        self._root: Final = root
        self._neighbours: Final = neighbours
        self._mates: Final = mates
        self._removed: Final = removed
        self._base: Final[list[int]] = [*range(vertices)]
        """The base of the blossom that contains each vertex; the vertex itself if none does."""
        self._enqueued: Final = [False] * vertices
        self._waiting: Final[deque[int]] = deque()

    def unpaired_end(self) -> int:
        """The unpaired vertex at the end of an augmenting path, or `NOBODY`."""
        self._enqueue(self._root)
        while self._waiting:
            vertex = self._waiting.popleft()
            for other in self._neighbours[vertex]:
                if self._removed[other] or self._base[vertex] == self._base[other] or self._mates[vertex] == other:
                    continue
                if self._is_even(other):
                    self._contract_blossom(vertex, other)
                elif self.previous[other] == UNMATCHED:
                    self.previous[other] = vertex
                    if self._mates[other] == UNMATCHED:
                        return other
                    self._enqueue(self._mates[other])
        return UNMATCHED

    def _enqueue(self, vertex: int) -> None:
        self._enqueued[vertex] = True
        self._waiting.append(vertex)

    def _is_even(self, vertex: int) -> bool:
        """Whether it is the root, or was reached over an edge of the matching (an even number of steps)."""
        mate = self._mates[vertex]
        return vertex == self._root or (mate != UNMATCHED and self.previous[mate] != UNMATCHED)

    def _contract_blossom(self, one: int, other: int) -> None:
        """Contract the blossom that the edge between two even vertices closes."""
        base = self._common_base(one, other)
        round_ = {*self._path_bases(one, base, other), *self._path_bases(other, base, one)}
        for vertex, its_base in enumerate(self._base):
            if its_base in round_:
                self._base[vertex] = base
                if not self._enqueued[vertex]:
                    self._enqueue(vertex)

    def _common_base(self, one: int, other: int) -> int:
        """The base of the lowest common ancestor of two vertices in the search tree."""
        passed = set()
        while True:
            one = self._base[one]
            passed.add(one)
            if one == self._root or self._mates[one] == UNMATCHED:
                break
            one = self.previous[self._mates[one]]
        while self._base[other] not in passed:
            other = self.previous[self._mates[self._base[other]]]
        return self._base[other]

    def _path_bases(self, vertex: int, base: int, child: int) -> set[int]:
        """The bases on the path from a vertex to `base`; links it backwards, so that paths may cross the blossom."""
        bases = set()
        while self._base[vertex] != base:
            mate = self._mates[vertex]
            bases |= {self._base[vertex], self._base[mate]}
            self.previous[vertex] = child
            child = mate
            vertex = self.previous[mate]
        return bases
