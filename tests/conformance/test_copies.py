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

MAX_PICKLE_BYTES: Final = 8 * 1024
MAX_COPY_SECONDS: Final = 0.005
TIMED_RUNS: Final = 5
"""Of so many the quickest counts: others may have the processor."""
MOVES_ON_COPIES: Final = 12
"""Moves that are made on copies."""

COPY_METHODS: Final[dict[str, Callable[[Any], Any]]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
    "old pickle": lambda thing: pickle.loads(pickle.dumps(thing, 2)),
}

EACH_TABLE = pytest.mark.parametrize("table", TABLES, ids=str)
EACH_METHOD = pytest.mark.parametrize("method", COPY_METHODS)


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


@EACH_TABLE
@EACH_METHOD
def test_fault21_a_copy_of_a_state_is_equal_and_plays_on_equally_and_alone(table: Table, method: str) -> None:
    for state in states(table):
        before = plain(state)
        twin = COPY_METHODS[method](state)
        assert twin is not state
        assert type(twin) is type(state)
        assert plain(twin) == before
        other = table.game.copy(state)
        randoms = Random(1), Random(1)
        for _ in range(MOVES_ON_COPIES):
            assert random_step(table.game, twin, randoms[0]) == random_step(table.game, other, randoms[1])
        assert plain(twin) == plain(other)
        assert plain(state) == before


@EACH_TABLE
@EACH_METHOD
def test_fault21_a_copy_of_a_state_stays_as_it_is_when_the_state_is_played_on(table: Table, method: str) -> None:
    for state in states(table):
        twin = COPY_METHODS[method](state)
        before = plain(twin)
        for number in range(MOVES_ON_COPIES):
            random_step(table.game, state, Random(number))
        assert plain(twin) == before


@EACH_TABLE
@EACH_METHOD
def test_fault21_copies_of_moves_views_and_options_are_equal(table: Table, method: str) -> None:
    assert plain(COPY_METHODS[method](table.options())) == plain(table.options())
    for state in states(table):
        view = table.game.view(state, 0)
        assert plain(COPY_METHODS[method](view)) == plain(view)
        for move in moves(table, state)[:20]:
            twin = COPY_METHODS[method](move)
            assert (twin, hash(twin)) == (move, hash(move))
            assert table.game.notation(twin) == table.game.notation(move)


@EACH_TABLE
@EACH_METHOD
@pytest.mark.parametrize("choices", [0, 8])
def test_fault21_a_copy_of_a_match_has_the_same_luck_and_draws_alone(table: Table, method: str, choices: int) -> None:
    """Of a shallow copy of a match the state is the same, as everybody expects of it: its luck alone is copied."""
    match = table.match(seed=6)
    for _ in range(choices):
        if not match.is_over():
            match.play(*random_choice(match, Random(6)))
    assert match.luck is not None
    before = plain(match.luck.draw_counts), plain(match.luck.taken_copies)
    twin: AnyMatch = COPY_METHODS["deepcopy" if method == "copy" else method](match)
    luck = COPY_METHODS[method](match.luck)
    assert (plain(luck.draw_counts), plain(luck.taken_copies)) == before
    randoms = Random(7), Random(7)
    for _ in range(MOVES_ON_COPIES):
        if not twin.is_over():
            twin.play(*random_choice(twin, randoms[0]))
    assert (plain(match.luck.draw_counts), plain(match.luck.taken_copies)) == before
    for _ in range(MOVES_ON_COPIES):
        if not match.is_over():
            match.play(*random_choice(match, randoms[1]))
    assert plain(twin.state) == plain(match.state)


def seconds(method: Callable[[Any], Any], thing: object) -> float:
    """How long a way takes at best."""
    taken = []
    for _ in range(TIMED_RUNS):
        before = process_time()
        method(thing)
        taken.append(process_time() - before)
    return min(taken)


@EACH_TABLE
def test_fault21_copies_are_small_and_quick(table: Table) -> None:
    for state in states(table):
        things = [state, table.game.view(state, 0), table.options(), *moves(table, state)[:3]]
        for thing in things:
            assert len(pickle.dumps(thing)) <= MAX_PICKLE_BYTES
            for name, method in COPY_METHODS.items():
                assert seconds(method, thing) < MAX_COPY_SECONDS, name


@EACH_TABLE
def test_fault21_a_list_of_states_goes_through_one_pickle(table: Table) -> None:
    """Copies of a state share what has not changed yet: in one pickle they do so too."""
    state = list(states(table))[1]
    twins = pickle.loads(pickle.dumps([state, table.game.copy(state), table.game.copy(state)]))
    before = plain(twins[1])
    random_step(table.game, twins[0], Random(1))
    random_step(table.game, twins[2], Random(2))
    assert plain(twins[1]) == before
