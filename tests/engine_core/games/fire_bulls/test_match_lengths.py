"""Fire Bulls: lengths of matches compared with the play check of the rulings, section 9."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import mean

import pytest

from engine_core.explore import random_below, weighted_index
from engine_core.game import NATURE, Chance, Move, Over, Turn
from engine_core.games.fire_bulls.moves import Attack, AttackGeneral, Capture, Draw, Power, Take
from engine_core.games.fire_bulls.state import FireBullsOptions
from tests.engine_core.games.fire_bulls.positions import GAME

MATCHES = 25
"""For each number of seats, so a hundred a line."""

Player = Callable[[list[Move], Random], Move]


def at_random(moves: list[Move], random: Random) -> Move:
    """Player that makes any of its moves; the names of the players are part of the seeds."""
    return moves[random_below(len(moves), random.getrandbits)]


def sensible(moves: list[Move], random: Random) -> Move:
    """Player that captures what it can, and uses its powers."""
    captures: list[Move] = [move for move in moves if isinstance(move, (Attack, AttackGeneral, Capture))]
    return Power(True) if Power(True) in moves else at_random(captures or moves, random)


def play_match(seat_count: int, profile: str, player: Player, random: Random) -> tuple[int, str]:
    """The turns of a match, and why it ended."""
    state = GAME.start(seat_count, FireBullsOptions(profile))
    turns = 0
    phase = GAME.phase(state)
    while not isinstance(phase, Over):
        if isinstance(phase, Turn):
            move = player(GAME.legal_moves(state, phase.seats[0]), random)
            turns += isinstance(move, (Take, Draw, Attack, AttackGeneral))
            GAME.apply(state, phase.seats[0], move)
        elif isinstance(phase, Chance):
            outcomes = GAME.legal_moves(state, NATURE)
            GAME.apply(state, NATURE, outcomes[weighted_index(GAME.weights(state), random.getrandbits)])
        phase = GAME.phase(state)
    return turns, phase.reason


def turn_counts(seat_count: int, profile: str, player: Player) -> list[int]:
    random = Random(f"{seat_count} {profile} {player.__name__}")
    return [play_match(seat_count, profile, player, random)[0] for _ in range(MATCHES)]


PLAY_CHECK: list[tuple[Player, str, list[tuple[int, int, int]]]] = [
    (at_random, "merged", [(56, 91, 139), (48, 83, 122), (45, 76, 114), (42, 70, 129)]),
    (at_random, "fr", [(49, 84, 117), (44, 80, 128), (48, 74, 119), (43, 67, 105)]),
    (at_random, "it", [(59, 158, 220), (99, 165, 210), (112, 143, 230), (92, 120, 145)]),
    (sensible, "merged", [(59, 123, 151), (77, 123, 151), (88, 117, 144), (81, 106, 125)]),
    (sensible, "it", [(80, 134, 174), (98, 139, 167), (110, 131, 149), (91, 121, 147)]),
]
"""Least, mean and most turns for two to five seats."""


@pytest.mark.parametrize(
    ("player", "profile", "seat_count", "least", "usual", "most"),
    [(player, profile, seats + 2, *cell) for player, profile, cells in PLAY_CHECK for seats, cell in enumerate(cells)],
)
def test_matches_last_about_as_long_as_in_the_play_check(
    player: Player, profile: str, seat_count: int, least: int, usual: int, most: int
) -> None:
    turns = turn_counts(seat_count, profile, player)
    assert usual * 0.85 < mean(turns) < usual * 1.15
    assert least * 0.7 < min(turns)
    assert max(turns) < most * 1.3
