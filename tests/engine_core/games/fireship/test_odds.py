"""Fireship: dice, wheel and cards have their stated odds: chi-square tests at the 0.1 % level."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest

from engine_core.chance import Luck
from engine_core.game import NATURE, Chance
from engine_core.games.fireship.components import CARD_COUNTS, CARDS
from engine_core.match import Match
from tests.engine_core.games.fireship.crowded import aggressive_choice, special_square_choice
from tests.engine_core.games.fireship.positions import GAME

MATCHES = 40
DIE_WEIGHTS = {f"die {face}": 1.0 for face in ("skull", "2", "3", "4", "5", "6")}
CHI_SQUARE_LIMITS = {6: 20.52, 10: 27.88, 12: 31.26}
"""By number of outcomes."""


@cache
def draws_by_purpose() -> dict[str, Counter[str]]:
    """What nature drew, by purpose, in matches on different seeds."""
    found: dict[str, Counter[str]] = {}
    for seed in range(MATCHES):
        match = Match(GAME, GAME.start(2 + seed % 3, GAME.presets()["rings"]), None)
        luck = Luck(seed.to_bytes(32, "big"), [])
        random = Random(seed)
        while not match.is_over():
            phase = match.phase()
            if isinstance(phase, Chance):
                outcomes = match.legal_moves(NATURE)
                items = [GAME.pool_item(outcome) for outcome in outcomes]
                choice = luck.choose(phase, items, GAME.weights(match.state))
                found.setdefault(phase.purpose, Counter())[items[choice]] += 1
                match.play(NATURE, outcomes[choice])
            else:
                seat = match.to_move()[0]
                player = special_square_choice if random.random() < 0.8 else aggressive_choice
                match.play(seat, player(match.state, seat, random))
    return found


def chi_square(found: Counter[str], shares: dict[str, float]) -> float:
    unit = sum(found.values()) / sum(shares.values())
    return sum([(found[name] - share * unit) ** 2 / (share * unit) for name, share in shares.items()])


@pytest.mark.parametrize("purpose", ["first", "throw/0", "throw/1", "throw/2", "throw/3", "battle"])
def test_fs111_each_face_of_a_die_comes_equally_often(purpose: str) -> None:
    found = draws_by_purpose()[purpose]
    assert sum(found.values()) > 150
    assert chi_square(found, DIE_WEIGHTS) < CHI_SQUARE_LIMITS[6]


def test_fs111_each_sector_comes_equally_often() -> None:
    found = draws_by_purpose()["wheel"]
    assert sum(found.values()) > 100
    assert chi_square(found, {f"sector {sector}": 1.0 for sector in range(1, 13)}) < CHI_SQUARE_LIMITS[12]


def test_fs111_each_card_comes_as_often_as_there_are_copies() -> None:
    found = draws_by_purpose()["cards/0"]
    assert sum(found.values()) > 300
    assert chi_square(found, dict(zip(CARDS, map(float, CARD_COUNTS), strict=True))) < CHI_SQUARE_LIMITS[10]
