"""The comparison that the laws rest on must notice a difference."""

from __future__ import annotations

from random import Random

import pytest

from engine_core.explore import random_step
from tests.conformance.game_setups import LAW_SETUPS, GameSetup
from tests.conformance.plain import plain


@pytest.mark.parametrize("setup", LAW_SETUPS, ids=str)
def test_every_move_changes_the_plain_state(setup: GameSetup) -> None:
    state = setup.start()
    random = Random(5)
    before = plain(state)
    assert random_step(setup.game, state, random)
    for _ in range(60):
        after = plain(state)
        assert after != before
        before = after
        if not random_step(setup.game, state, random):
            break
