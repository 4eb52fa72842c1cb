"""Law: every match ends, with random moves, default moves, or all but one seat gone."""

from __future__ import annotations

import os
from random import Random

import pytest

from engine_core.explore import playout
from engine_core.game import Over
from tests.conformance.tables import TABLES, Table

PLAYOUTS = int(os.environ.get("FIRESIDE_PLAYOUTS", "120"))
"""Matches a game; `make soak` asks for 10,000."""


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_random_matches_end(table: Table) -> None:
    tables = [other for other in TABLES if other.game is table.game]
    random = Random(f"playouts {table}")
    for _ in range(-(-PLAYOUTS // len(tables))):
        state = table.start()
        playout(table.game, state, random)
        assert isinstance(table.game.phase(state), Over)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_default_moves_end_a_match(table: Table) -> None:
    match = table.match(seed=1)
    while not match.is_over():
        seat = match.to_move()[0]
        match.play(seat, table.game.default_move(match.state, seat))
    assert table.game.score(match.state).winners


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_match_that_all_but_one_leave_ends(table: Table) -> None:
    match = table.match(seed=2)
    for seat in range(1, table.seats):
        if not match.is_over():
            match.leave(seat)
    while not match.is_over():
        seat = match.to_move()[0]
        match.play(seat, table.game.default_move(match.state, seat))
    assert table.game.score(match.state).winners == [0]
