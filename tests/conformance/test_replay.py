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
from tests.conformance.plain import plain
from tests.conformance.tables import TABLES, Table, random_choice


def played(table: Table, seed: int) -> tuple[AnyMatch, list[Entry]]:
    match = Match(table.game, table.start(), Luck(seed.to_bytes(32, "big"), ["client"]))
    entries = match.begin()
    random = Random(seed)
    while not match.is_over():
        entries += match.play(*random_choice(match, random))
    return match, entries


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(TABLES), st.integers(0, 2**32 - 1))
def test_a_log_leads_to_its_state(table: Table, seed: int) -> None:
    match, entries = played(table, seed)
    again = replay(table.game, table.seats, table.options(), entries)
    assert plain(again.state) == plain(match.state)
    assert again.revision == match.revision == len(entries)
    assert [entry.revision for entry in entries] == list(range(1, len(entries) + 1))


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_equal_seeds_give_equal_matches(table: Table) -> None:
    _, one = played(table, 11)
    _, other = played(table, 11)
    assert [(entry.seat, entry.move) for entry in one] == [(entry.seat, entry.move) for entry in other]


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_different_seeds_give_different_matches(table: Table) -> None:
    openings = {tuple(table.game.notation(entry.move) for entry in opening(table, seed)) for seed in range(40)}
    assert len(openings) > 10 or openings == set(ways_to_begin(table, table.start(), ()))


def ways_to_begin(table: Table, state: State, drawn: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """All that nature can draw before a seat is asked."""
    outcomes = table.game.legal_moves(state, NATURE)
    if not outcomes:
        yield drawn
    for outcome in outcomes:
        following = table.game.next_state(state, NATURE, outcome)
        yield from ways_to_begin(table, following, (*drawn, table.game.notation(outcome)))


def opening(table: Table, seed: int) -> list[Entry]:
    return Match(table.game, table.start(), Luck(seed.to_bytes(32, "big"), [])).begin()


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_luck_can_be_kept_and_taken_up_again(table: Table) -> None:
    match = table.match(seed=12)
    random, again = Random(12), Random(12)
    twin = table.match(seed=12)
    for _ in range(60):
        if match.is_over():
            break
        match.play(*random_choice(match, random))
        luck = twin.luck
        assert luck is not None
        kept = Luck(
            luck.secret,
            list(luck.client_seeds),
            dict(luck.draw_counts),
            {k: dict(v) for k, v in luck.taken_copies.items()},
        )
        twin = Match(table.game, twin.state, kept, twin.revision, twin.phase_start, twin.last_moved)
        twin.play(*random_choice(twin, again))
    assert plain(twin.state) == plain(match.state)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_copy_shares_nothing(table: Table) -> None:
    game = table.game
    state = table.start()
    random = Random(13)
    going = True
    while going:
        twin = game.copy(state)
        before = plain(twin)
        assert before == plain(state)
        going = random_step(game, state, random)
        assert plain(twin) == before
