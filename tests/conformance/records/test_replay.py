"""Laws: equal logs give equal states; a copy shares nothing; equal seeds give equal matches."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_core.chance import Luck
from engine_core.explore import random_step
from engine_core.game import NATURE, State
from engine_core.match import AnyMatch, Entry, Match, replay
from tests.conformance.game_setups import GAME_SETUPS, LAW_SETUPS, GameSetup, random_choice
from tests.conformance.plain import plain


def play_random_match(setup: GameSetup, seed: int) -> tuple[AnyMatch, list[Entry]]:
    match = Match(setup.game, setup.start(), Luck(seed.to_bytes(32, "big"), ["client"]))
    entries = match.begin()
    random = Random(seed)
    while not match.is_over():
        entries += match.play(*random_choice(match, random))
    return match, entries


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(GAME_SETUPS), st.integers(0, 2**32 - 1))
def test_a_log_leads_to_its_state(setup: GameSetup, seed: int) -> None:
    match, entries = play_random_match(setup, seed)
    replayed = replay(setup.game, setup.seat_count, setup.options(), entries)
    assert plain(replayed.state) == plain(match.state)
    assert replayed.revision == match.revision == len(entries)
    assert [entry.revision for entry in entries] == list(range(1, len(entries) + 1))


@pytest.mark.parametrize("setup", LAW_SETUPS, ids=str)
def test_equal_seeds_give_equal_matches(setup: GameSetup) -> None:
    _, one = play_random_match(setup, 11)
    _, other = play_random_match(setup, 11)
    assert [(entry.seat, entry.move) for entry in one] == [(entry.seat, entry.move) for entry in other]


@pytest.mark.parametrize("setup", LAW_SETUPS, ids=str)
def test_different_seeds_give_different_matches(setup: GameSetup) -> None:
    openings = {tuple(setup.game.notation(entry.move) for entry in setup_entries(setup, seed)) for seed in range(40)}
    assert len(openings) > 10 or openings == set(ways_to_begin(setup, setup.start(), ()))


def ways_to_begin(setup: GameSetup, state: State, drawn: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """All that nature can draw before a seat is asked."""
    outcomes = setup.game.legal_moves(state, NATURE)
    if not outcomes:
        yield drawn
    for outcome in outcomes:
        following = setup.game.next_state(state, NATURE, outcome)
        yield from ways_to_begin(setup, following, (*drawn, setup.game.notation(outcome)))


def setup_entries(setup: GameSetup, seed: int) -> list[Entry]:
    return Match(setup.game, setup.start(), Luck(seed.to_bytes(32, "big"), [])).begin()


@pytest.mark.parametrize("setup", LAW_SETUPS, ids=str)
def test_luck_can_be_saved_and_restored(setup: GameSetup) -> None:
    match = setup.match(seed=12)
    random, other_random = Random(12), Random(12)
    copied = setup.match(seed=12)
    for _ in range(60):
        if match.is_over():
            break
        match.play(*random_choice(match, random))
        luck = copied.luck
        assert luck is not None
        restored = Luck(
            luck.secret,
            list(luck.client_seeds),
            dict(luck.draw_counts),
            {k: dict(v) for k, v in luck.taken_copies.items()},
        )
        copied = Match(setup.game, copied.state, restored, copied.revision, copied.phase_start, copied.last_moved)
        copied.play(*random_choice(copied, other_random))
    assert plain(copied.state) == plain(match.state)


@pytest.mark.parametrize("setup", LAW_SETUPS, ids=str)
def test_a_copy_shares_nothing(setup: GameSetup) -> None:
    game = setup.game
    state = setup.start()
    random = Random(13)
    going = True
    while going:
        before = plain(state)
        copied = game.copy(state)
        going = random_step(game, state, random)
        assert plain(copied) == before
