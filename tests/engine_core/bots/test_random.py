"""The random bot chooses legal moves, all of them sooner or later."""

from __future__ import annotations

from random import Random

from engine_core.bots.random import choose
from engine_core.chance import Luck
from engine_core.games.fire_bulls.rules import FireBulls
from engine_core.games.fire_bulls.state import FireBullsOptions
from engine_core.match import Match

GAME = FireBulls()


def test_the_random_bot_makes_every_legal_move_sooner_or_later() -> None:
    match = Match(GAME, GAME.start(2, FireBullsOptions(first_seat=0)), Luck(bytes(32), []))
    match.begin()
    random = Random(1)
    chosen = {choose(GAME, match.state, 0, random) for _ in range(200)}
    assert chosen == set(match.legal_moves(0))
