"""Random numbers without bias, play-outs and counts."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine_core.bots import bot_named
from engine_core.bots.observation import Observation
from engine_core.chance import Luck
from engine_core.errors import NotYourTurn
from engine_core.explore import perft, playout, random_below, weighted_index
from engine_core.game import Chance
from engine_core.games.fire_bulls.rules import FireBulls
from engine_core.games.fire_bulls.state import FireBullsOptions
from engine_core.match import Match

GAME = FireBulls()


def test_below_gives_every_number_equally_often() -> None:
    bits = Random(1).getrandbits
    counts = Counter(random_below(5, bits) for _ in range(5000))
    assert sum((counts[number] - 1000) ** 2 / 1000 for number in range(5)) < 18.5
    assert random_below(1, bits) == 0


def test_weighted_follows_the_weights() -> None:
    bits = Random(2).getrandbits
    counts = Counter(weighted_index([1, 3, 6], bits) for _ in range(5000))
    assert sum((counts[i] - share) ** 2 / share for i, share in enumerate([500, 1500, 3000])) < 13.8


def test_perft_counts_natures_outcomes_as_moves() -> None:
    state = GAME.start(2, FireBullsOptions())
    assert perft(GAME, state, 0) == 1
    assert perft(GAME, state, 1) == 21


def test_a_playout_that_does_not_end_is_reported() -> None:
    with pytest.raises(RuntimeError):
        playout(GAME, GAME.start(2, FireBullsOptions()), Random(3), limit=10)


@pytest.mark.parametrize("bound", [0, -1, -(2**70)])
def test_fault22_below_refuses_zero(bound: int) -> None:
    with pytest.raises(ValueError, match="below"):
        random_below(bound, Random(1).getrandbits)


@pytest.mark.parametrize("weights", [[], [0], [0, 0]])
def test_fault22_weighted_refuses_weights_without_sum(weights: list[int]) -> None:
    with pytest.raises(ValueError, match="below"):
        weighted_index(weights, Random(1).getrandbits)


@pytest.mark.parametrize("pool", ["", "pool"])
@pytest.mark.parametrize("weights", [[], [0], [1, 0], [2, -1]])
def test_fault22_a_refused_draw_of_luck_is_not_counted(weights: list[int], pool: str) -> None:
    luck = Luck(bytes(32), [])
    with pytest.raises(ValueError, match="weights"):
        luck.choose(Chance("die", pool), [str(number) for number in range(len(weights))], weights)
    assert (luck.draw_counts, luck.taken_copies) == ({}, {})


def test_fault22_a_playout_stops_exactly_at_its_limit() -> None:
    state = GAME.start(2, FireBullsOptions())
    moves = playout(GAME, GAME.copy(state), Random(3))
    assert playout(GAME, GAME.copy(state), Random(3), limit=moves) == moves
    with pytest.raises(RuntimeError):
        playout(GAME, GAME.copy(state), Random(3), limit=moves - 1)
    playout(GAME, state, Random(3))
    assert playout(GAME, state, Random(3), limit=0) == 0
    with pytest.raises(ValueError, match="-1 moves"):
        playout(GAME, state, Random(3), limit=-1)


def test_fault22_a_negative_depth_is_refused() -> None:
    with pytest.raises(ValueError, match="-1 moves"):
        perft(GAME, GAME.start(2, FireBullsOptions()), -1)


@pytest.mark.parametrize("bot", ["random", "greedy", "mcts:iterations=5"])
def test_fault22_a_bot_that_is_not_to_move_says_so(bot: str) -> None:
    match = Match(GAME, GAME.start(2, FireBullsOptions(first_seat=0)), Luck(bytes(32), []))
    match.begin()
    with pytest.raises(NotYourTurn):
        bot_named(bot).choose(Observation(GAME, match.state, 1), Random(1))
