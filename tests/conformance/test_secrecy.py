"""Law: what an observer cannot know changes nothing that it sees or may do."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_core.game import EVERYBODY, NATURE, Chance, Move, Over, State, Turn
from engine_core.games import AnyGame
from engine_core.words import LOCALES
from tests.conformance.game_setups import GAME_SETUPS, LAW_SETUPS, GameSetup
from tests.conformance.plain import plain

MIN_MOVES = 60
"""Of short matches so many are played that they have at least so many moves."""


def phase_facts(game: AnyGame, state: State) -> object:
    """Who acts, as everybody may know it."""
    phase = game.phase(state)
    if isinstance(phase, Turn):
        return phase.seats
    if isinstance(phase, Chance):
        return phase.purpose, phase.pool
    assert isinstance(phase, Over)
    return phase.reason


def everything_shown(setup: GameSetup, state: State, observer: int) -> object:
    """All that a position shows to an observer."""
    game = setup.game
    own = game.legal_moves(state, observer) if observer >= 0 else []
    return phase_facts(game, state), plain(game.view(state, observer)), own, plain(game.score(state))


def move_as_seen(
    game: AnyGame, state: State, mover: int, move: Move, observer: int
) -> tuple[Move, list[tuple[int, Move]]]:
    """The move as the observer sees it, and what it reveals to everybody."""
    audience = game.audience(state, mover, move)
    is_seen = audience == EVERYBODY or (observer >= 0 and audience >> observer & 1)
    revealed = [(reveal.seat, reveal.move) for reveal in game.reveals(state, mover, move)]
    return (move if is_seen else game.conceal(state, mover, move)), revealed


def consequences(setup: GameSetup, state: State, mover: int, move: Move, observer: int) -> list[str]:
    """What the move brought, in words for the observer."""
    game = setup.game
    seen, _ = move_as_seen(game, state, mover, move, observer)
    before, after = game.view(state, observer), game.view(game.next_state(state, mover, move), observer)
    return game.consequences(before, mover, seen, after, game.words(LOCALES[0]))


def random_step(game: AnyGame, state: State, random: Random) -> None:
    phase = game.phase(state)
    seat = random.choice(phase.seats) if isinstance(phase, Turn) else NATURE
    game.apply(state, seat, random.choice(game.legal_moves(state, seat)))


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(GAME_SETUPS), st.integers(0, 2**32 - 1))
def test_a_determinized_state_looks_the_same(setup: GameSetup, seed: int) -> None:
    game = setup.game
    state = setup.start()
    random = Random(seed)
    while not isinstance(game.phase(state), Over):
        observer = random.choice(setup.observers())
        copied = game.determinize(state, observer, random)
        assert everything_shown(setup, copied, observer) == everything_shown(setup, state, observer)
        random_step(game, state, random)


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(GAME_SETUPS), st.integers(0, 2**32 - 1))
def test_visible_events_do_not_depend_on_hidden_information(setup: GameSetup, seed: int) -> None:
    """Play one move in a state and in its copied: an observer that could not tell them apart still cannot."""
    game = setup.game
    random = Random(seed)
    move_count = compared_count = 0
    state = setup.start()
    while move_count < MIN_MOVES or not isinstance(game.phase(state), Over):
        if isinstance(game.phase(state), Over):
            state = setup.start()
        move_count += 1
        phase = game.phase(state)
        mover = random.choice(phase.seats) if isinstance(phase, Turn) else NATURE
        move = random.choice(game.legal_moves(state, mover))
        observer = random.choice(setup.observers())
        copied = game.determinize(state, observer, random)
        shown = move_as_seen(game, state, mover, move, observer)
        alike = [m for m in game.legal_moves(copied, mover) if move_as_seen(game, copied, mover, m, observer) == shown]
        for other in alike[:1]:
            compared_count += 1
            said = consequences(setup, copied, mover, other, observer)
            assert said == consequences(setup, state, mover, move, observer)
            after = everything_shown(setup, game.next_state(copied, mover, other), observer)
            assert after == everything_shown(setup, game.next_state(state, mover, move), observer)
        game.apply(state, mover, move)
    assert compared_count > 20


@pytest.mark.parametrize("setup", LAW_SETUPS, ids=str)
def test_a_determinized_match_can_be_played_to_its_end(setup: GameSetup) -> None:
    game = setup.game
    random = Random(f"determinize {setup}")
    state = setup.start()
    for _ in range(150):
        if isinstance(game.phase(state), Over):
            break
        random_step(game, state, random)
    for observer in setup.observers():
        copied = game.determinize(state, observer, random)
        while not isinstance(game.phase(copied), Over):
            random_step(game, copied, random)


@pytest.mark.parametrize("setup", LAW_SETUPS, ids=str)
def test_determinize_does_not_change_the_state_and_repeats_from_its_seed(setup: GameSetup) -> None:
    game = setup.game
    state = setup.start()
    random = Random(8)
    for _ in range(80):
        if isinstance(game.phase(state), Over):
            break
        random_step(game, state, random)
    before = plain(state)
    one = game.determinize(state, 0, Random(1))
    other = game.determinize(state, 0, Random(1))
    assert plain(state) == before
    assert plain(one) == plain(other)
