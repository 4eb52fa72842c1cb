"""Maximum matching of a graph, with which Swiss pairing pairs as many entrants as possible."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from services.tournaments.plan.matching import Matching

Graph = list[list[int]]


def random_graph(vertices: int, share: float, random: Random) -> Graph:
    """A graph that has each pair of neighbours with some probability."""
    graph: Graph = [[] for _ in range(vertices)]
    for one in range(vertices):
        for other in range(one):
            if random.random() < share:
                graph[one].append(other)
                graph[other].append(one)
    return graph


def can_be_paired(graph: Graph, left: Sequence[int]) -> bool:
    """By trying everything."""
    if not left:
        return True
    return any(
        can_be_paired(graph, [each for each in left if each not in (left[0], other)])
        for other in graph[left[0]]
        if other in left
    )


def perfect_matching(graph: Graph) -> Matching | None:
    matching = Matching(graph)
    return matching if matching.make_perfect() else None


def check_matching(graph: Graph, matching: Matching) -> None:
    """Everybody has a neighbour as its mate, whose mate it is."""
    for vertex, mate in enumerate(matching.mates):
        assert mate in graph[vertex]
        assert matching.mates[mate] == vertex


@pytest.mark.parametrize("seed", range(10))
def test_the_matching_is_perfect_if_one_exists(seed: int) -> None:
    random = Random(seed)
    found = 0
    for _ in range(100):
        graph = random_graph(random.choice([4, 6, 8, 10]), random.uniform(0.2, 0.6), random)
        matching = perfect_matching(graph)
        assert (matching is not None) == can_be_paired(graph, range(len(graph)))
        if matching is not None:
            check_matching(graph, matching)
            found += 1
    assert 0 < found < 100


def test_augmenting_paths_go_through_odd_cycles() -> None:
    triangles = [[1, 2], [0, 2], [0, 1, 3], [2, 4, 5], [3, 5], [3, 4]]
    matching = Matching(triangles)
    matching.pair(0, 2)
    matching.pair(3, 4)
    assert matching.make_perfect()
    assert matching.mates == [1, 0, 3, 2, 5, 4]


@pytest.mark.parametrize("seed", range(10))
def test_a_pair_is_fixed_only_if_the_others_can_still_be_paired(seed: int) -> None:
    random = Random(seed)
    outcomes = set()
    for _ in range(50):
        graph = random_graph(8, random.uniform(0.3, 0.6), random)
        matching = perfect_matching(graph)
        if matching is None:
            continue
        one = random.randrange(8)
        other = random.choice(graph[one])
        left = [each for each in range(8) if each not in (one, other)]
        outcomes.add(matching.fix_pair(one, other))
        assert (matching.mates[one] == other) == can_be_paired(graph, left)
        check_matching(graph, matching)
    assert outcomes == {True, False}
