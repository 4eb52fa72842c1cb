"""Fireship: lengths of matches compared with the playing-time check of the rulings, section 7."""

from __future__ import annotations

from random import Random
from statistics import median

import pytest

from engine_core.explore import random_below, weighted_index
from engine_core.game import NATURE, Chance, Move, Over
from engine_core.games.fireship.moves import ChoosePawn
from engine_core.games.fireship.state import FireshipState
from tests.engine_core.games.fireship.positions import GAME

MATCHES = 9


def choices_of_seat(state: FireshipState, seat: int) -> list[tuple[Move, ...]]:
    """The choices of a seat with pawn and target as one, as the check counts them."""
    found: list[tuple[Move, ...]] = []
    for move in GAME.legal_moves(state, seat):
        if isinstance(move, ChoosePawn):
            found += [(move, target) for target in GAME.legal_moves(GAME.next_state(state, seat, move), seat)]
        else:
            found.append((move,))
    return found


def match_length(seat_count: int, random: Random) -> tuple[int, int]:
    """Moves of a random match, and those of nature among them."""
    state = GAME.start(seat_count, GAME.presets()["rings"])
    moves = draws = 0
    phase = GAME.phase(state)
    while not isinstance(phase, Over):
        if isinstance(phase, Chance):
            choice = weighted_index(GAME.weights(state), random.getrandbits)
            GAME.apply(state, NATURE, GAME.legal_moves(state, NATURE)[choice])
            draws += 1
        else:
            seat = phase.seats[0]  # type: ignore[attr-defined]
            options = choices_of_seat(state, seat)
            for move in options[random_below(len(options), random.getrandbits)]:
                GAME.apply(state, seat, move)
        moves += 1
        phase = GAME.phase(state)
    return moves, draws


@pytest.mark.parametrize(("seat_count", "usual"), [(2, 423), (3, 513), (4, 580)])
def test_random_matches_last_about_as_long_as_in_the_check(seat_count: int, usual: int) -> None:
    random = Random(f"lengths {seat_count}")
    lengths = [match_length(seat_count, random) for _ in range(MATCHES)]
    assert usual * 0.93 < median([moves for moves, _ in lengths]) < usual * 1.07
    assert 0.3 < median([draws / moves for moves, draws in lengths]) < 0.46
