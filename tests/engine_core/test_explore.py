"""Random numbers without bias, play-outs and counts."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine_core.explore import below, perft, playout, weighted
from engine_core.games.fire_bulls.rules import FireBulls
from engine_core.games.fire_bulls.state import FireBullsOptions

GAME = FireBulls()


def test_below_gives_every_number_equally_often() -> None:
    bits = Random(1).getrandbits
    counts = Counter(below(5, bits) for _ in range(5000))
    assert sum((counts[number] - 1000) ** 2 / 1000 for number in range(5)) < 18.5
    assert below(1, bits) == 0


def test_weighted_keeps_the_weights() -> None:
    bits = Random(2).getrandbits
    counts = Counter(weighted([1, 3, 6], bits) for _ in range(5000))
    assert sum((counts[i] - share) ** 2 / share for i, share in enumerate([500, 1500, 3000])) < 13.8


def test_perft_counts_natures_outcomes_as_moves() -> None:
    state = GAME.start(2, FireBullsOptions())
    assert perft(GAME, state, 0) == 1
    assert perft(GAME, state, 1) == 21


def test_a_playout_that_does_not_end_is_reported() -> None:
    with pytest.raises(RuntimeError):
        playout(GAME, GAME.start(2, FireBullsOptions()), Random(3), limit=10)
