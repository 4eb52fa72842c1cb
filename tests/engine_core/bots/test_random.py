"""The random bot chooses legal moves, all of them sooner or later."""

from __future__ import annotations

from collections import Counter
from random import Random

from engine_core.bots.observation import Observation
from engine_core.bots.random import RandomBot
from engine_core.chance import Luck
from engine_core.games.fire_bulls.rules import FireBulls
from engine_core.games.fire_bulls.state import FireBullsOptions
from engine_core.match import Match

GAME = FireBulls()


def test_the_random_bot_makes_every_legal_move_equally_often() -> None:
    match = Match(GAME, GAME.start(2, FireBullsOptions(first_seat=0)), Luck(bytes(32), []))
    match.begin()
    random = Random(1)
    observation = Observation(GAME, match.state, 0)
    moves = match.legal_moves(0)
    chosen = Counter(RandomBot().choose(observation, random) for _ in range(300 * len(moves)))
    assert set(chosen) == set(moves)
    assert all(200 < number < 400 for number in chosen.values())
