"""Law: every match ends, with random moves, default moves, or all but one seat gone."""

from __future__ import annotations

import os
from random import Random

import pytest

from engine_core.explore import playout
from engine_core.game import Over
from tests.conformance.game_setups import GAME_SETUPS, GameSetup

PLAYOUTS = int(os.environ.get("FIRESIDE_PLAYOUTS", "120"))
"""Matches a game; `make soak` asks for 10,000."""


@pytest.mark.parametrize("setup", GAME_SETUPS, ids=str)
def test_random_matches_end(setup: GameSetup) -> None:
    setups = [other for other in GAME_SETUPS if other.game is setup.game]
    random = Random(f"playouts {setup}")
    for _ in range(-(-PLAYOUTS // len(setups))):
        state = setup.start()
        playout(setup.game, state, random)
        assert isinstance(setup.game.phase(state), Over)


@pytest.mark.parametrize("setup", GAME_SETUPS, ids=str)
def test_default_moves_end_a_match(setup: GameSetup) -> None:
    match = setup.match(seed=1)
    while not match.is_over():
        seat = match.to_move()[0]
        match.play(seat, setup.game.default_move(match.state, seat))
    assert setup.game.score(match.state).winners


@pytest.mark.parametrize("setup", GAME_SETUPS, ids=str)
def test_a_match_that_all_but_one_leave_ends(setup: GameSetup) -> None:
    match = setup.match(seed=2)
    for seat in range(1, setup.seat_count):
        if not match.is_over():
            match.leave(seat)
    while not match.is_over():
        seat = match.to_move()[0]
        match.play(seat, setup.game.default_move(match.state, seat))
    assert setup.game.score(match.state).winners == [0]
