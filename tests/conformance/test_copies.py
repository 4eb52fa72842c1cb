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
from tests.conformance.game_setups import LAW_SETUPS, GameSetup, random_choice
from tests.conformance.plain import plain

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

EACH_SETUP = pytest.mark.parametrize("setup", LAW_SETUPS, ids=str)
EACH_METHOD = pytest.mark.parametrize("method", COPY_METHODS)


def sample_states(setup: GameSetup) -> Iterator[State]:
    """Some positions of a random match, the first and the last among them."""
    random = Random(f"copies {setup}")
    state = setup.start()
    number = 0
    while True:
        if number % 160 == 0 or isinstance(setup.game.phase(state), Over):
            yield setup.game.copy(state)
        if not random_step(setup.game, state, random):
            return
        number += 1


def moves_of_all_seats(setup: GameSetup, state: State) -> list[Move]:
    return [move for seat in range(NATURE, setup.seat_count) for move in setup.game.legal_moves(state, seat)]


@EACH_SETUP
@EACH_METHOD
def test_fault21_a_copy_of_a_state_is_equal_and_continues_equally_and_independently(
    setup: GameSetup, method: str
) -> None:
    for state in sample_states(setup):
        before = plain(state)
        copied = COPY_METHODS[method](state)
        assert copied is not state
        assert type(copied) is type(state)
        assert plain(copied) == before
        other = setup.game.copy(state)
        randoms = Random(1), Random(1)
        for _ in range(MOVES_ON_COPIES):
            assert random_step(setup.game, copied, randoms[0]) == random_step(setup.game, other, randoms[1])
        assert plain(copied) == plain(other)
        assert plain(state) == before


@EACH_SETUP
@EACH_METHOD
def test_fault21_moves_on_a_state_do_not_change_its_copy(setup: GameSetup, method: str) -> None:
    for state in sample_states(setup):
        copied = COPY_METHODS[method](state)
        before = plain(copied)
        for number in range(MOVES_ON_COPIES):
            random_step(setup.game, state, Random(number))
        assert plain(copied) == before


@EACH_SETUP
@EACH_METHOD
def test_fault21_copies_of_moves_views_and_options_are_equal(setup: GameSetup, method: str) -> None:
    assert plain(COPY_METHODS[method](setup.options())) == plain(setup.options())
    for state in sample_states(setup):
        view = setup.game.view(state, 0)
        assert plain(COPY_METHODS[method](view)) == plain(view)
        for move in moves_of_all_seats(setup, state)[:20]:
            copied = COPY_METHODS[method](move)
            assert (copied, hash(copied)) == (move, hash(move))
            assert setup.game.notation(copied) == setup.game.notation(move)


@EACH_SETUP
@EACH_METHOD
@pytest.mark.parametrize("choices", [0, 8])
def test_fault21_a_copy_of_a_match_has_the_same_luck_and_draws_independently(
    setup: GameSetup, method: str, choices: int
) -> None:
    """Of a shallow copy of a match the state is the same, as everybody expects of it: its luck alone is copied."""
    match = setup.match(seed=6)
    for _ in range(choices):
        if not match.is_over():
            match.play(*random_choice(match, Random(6)))
    assert match.luck is not None
    before = plain(match.luck.draw_counts), plain(match.luck.taken_copies)
    copied: AnyMatch = COPY_METHODS["deepcopy" if method == "copy" else method](match)
    luck = COPY_METHODS[method](match.luck)
    assert (plain(luck.draw_counts), plain(luck.taken_copies)) == before
    randoms = Random(7), Random(7)
    for _ in range(MOVES_ON_COPIES):
        if not copied.is_over():
            copied.play(*random_choice(copied, randoms[0]))
    assert (plain(match.luck.draw_counts), plain(match.luck.taken_copies)) == before
    for _ in range(MOVES_ON_COPIES):
        if not match.is_over():
            match.play(*random_choice(match, randoms[1]))
    assert plain(copied.state) == plain(match.state)


def best_seconds(method: Callable[[Any], Any], thing: object) -> float:
    """How long a way takes at best."""
    taken = []
    for _ in range(TIMED_RUNS):
        before = process_time()
        method(thing)
        taken.append(process_time() - before)
    return min(taken)


@EACH_SETUP
def test_fault21_copies_are_small_and_fast(setup: GameSetup) -> None:
    for state in sample_states(setup):
        things = [state, setup.game.view(state, 0), setup.options(), *moves_of_all_seats(setup, state)[:3]]
        for thing in things:
            assert len(pickle.dumps(thing)) <= MAX_PICKLE_BYTES
            for name, method in COPY_METHODS.items():
                assert best_seconds(method, thing) < MAX_COPY_SECONDS, name


@EACH_SETUP
def test_fault21_a_list_of_states_can_be_pickled(setup: GameSetup) -> None:
    """Copies of a state share what has not changed yet: in one pickle they do so too."""
    state = list(sample_states(setup))[1]
    copies = pickle.loads(pickle.dumps([state, setup.game.copy(state), setup.game.copy(state)]))
    before = plain(copies[1])
    random_step(setup.game, copies[0], Random(1))
    random_step(setup.game, copies[2], Random(2))
    assert plain(copies[1]) == before
