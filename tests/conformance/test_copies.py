"""Law: what tools copy and pickle of a game stays equal, plays on equally and alone, and is small and quick."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from random import Random
from time import process_time
from typing import Any, Final

import pytest

from engine_core.explore import random_step
from engine_core.game import NATURE, Move, Over, State
from engine_core.match import AnyMatch
from tests.conformance.plain import plain
from tests.conformance.tables import TABLES, Table, random_choice

BYTES_MOST: Final = 8 * 1024
SECONDS_MOST: Final = 0.005
TRIES: Final = 5
"""Of so many the quickest counts: others may have the processor."""
STEPS: Final = 12
"""Moves that are made on copies."""

WAYS: Final[dict[str, Callable[[Any], Any]]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
    "old pickle": lambda thing: pickle.loads(pickle.dumps(thing, 2)),
}

ALL = pytest.mark.parametrize("table", TABLES, ids=str)
EACH_WAY = pytest.mark.parametrize("way", WAYS)


def states(table: Table) -> Iterator[State]:
    """Some positions of a random match, the first and the last among them."""
    random = Random(f"copies {table}")
    state = table.start()
    number = 0
    while True:
        if number % 160 == 0 or isinstance(table.game.phase(state), Over):
            yield table.game.copy(state)
        if not random_step(table.game, state, random):
            return
        number += 1


def moves(table: Table, state: State) -> list[Move]:
    return [move for seat in range(NATURE, table.seats) for move in table.game.legal_moves(state, seat)]


@ALL
@EACH_WAY
def test_fault21_a_copy_of_a_state_is_equal_and_plays_on_equally_and_alone(table: Table, way: str) -> None:
    for state in states(table):
        before = plain(state)
        twin = WAYS[way](state)
        assert twin is not state
        assert type(twin) is type(state)
        assert plain(twin) == before
        other = table.game.copy(state)
        randoms = Random(1), Random(1)
        for _ in range(STEPS):
            assert random_step(table.game, twin, randoms[0]) == random_step(table.game, other, randoms[1])
        assert plain(twin) == plain(other)
        assert plain(state) == before


@ALL
@EACH_WAY
def test_fault21_a_copy_of_a_state_stays_as_it_is_when_the_state_is_played_on(table: Table, way: str) -> None:
    for state in states(table):
        twin = WAYS[way](state)
        before = plain(twin)
        for number in range(STEPS):
            random_step(table.game, state, Random(number))
        assert plain(twin) == before


@ALL
@EACH_WAY
def test_fault21_copies_of_moves_views_and_options_are_equal(table: Table, way: str) -> None:
    assert plain(WAYS[way](table.options())) == plain(table.options())
    for state in states(table):
        view = table.game.view(state, 0)
        assert plain(WAYS[way](view)) == plain(view)
        for move in moves(table, state)[:20]:
            twin = WAYS[way](move)
            assert (twin, hash(twin)) == (move, hash(move))
            assert table.game.notation(twin) == table.game.notation(move)


@ALL
@EACH_WAY
@pytest.mark.parametrize("choices", [0, 8])
def test_fault21_a_copy_of_a_match_has_the_same_luck_and_draws_alone(table: Table, way: str, choices: int) -> None:
    """Of a shallow copy of a match the state is the same, as everybody expects of it: its luck alone is copied."""
    match = table.match(seed=6)
    for _ in range(choices):
        if not match.is_over():
            match.play(*random_choice(match, Random(6)))
    assert match.luck is not None
    before = plain(match.luck.drawn), plain(match.luck.taken)
    twin: AnyMatch = WAYS["deepcopy" if way == "copy" else way](match)
    luck = WAYS[way](match.luck)
    assert (plain(luck.drawn), plain(luck.taken)) == before
    randoms = Random(7), Random(7)
    for _ in range(STEPS):
        if not twin.is_over():
            twin.play(*random_choice(twin, randoms[0]))
    assert (plain(match.luck.drawn), plain(match.luck.taken)) == before
    for _ in range(STEPS):
        if not match.is_over():
            match.play(*random_choice(match, randoms[1]))
    assert plain(twin.state) == plain(match.state)


def seconds(way: Callable[[Any], Any], thing: object) -> float:
    """How long a way takes at best."""
    taken = []
    for _ in range(TRIES):
        before = process_time()
        way(thing)
        taken.append(process_time() - before)
    return min(taken)


@ALL
def test_fault21_copies_are_small_and_quick(table: Table) -> None:
    for state in states(table):
        things = [state, table.game.view(state, 0), table.options(), *moves(table, state)[:3]]
        for thing in things:
            assert len(pickle.dumps(thing)) <= BYTES_MOST
            for name, way in WAYS.items():
                assert seconds(way, thing) < SECONDS_MOST, name


@ALL
def test_fault21_a_list_of_states_goes_through_one_pickle(table: Table) -> None:
    """Copies of a state share what has not changed yet: in one pickle they do so too."""
    state = list(states(table))[1]
    twins = pickle.loads(pickle.dumps([state, table.game.copy(state), table.game.copy(state)]))
    before = plain(twins[1])
    random_step(table.game, twins[0], Random(1))
    random_step(table.game, twins[2], Random(2))
    assert plain(twins[1]) == before
