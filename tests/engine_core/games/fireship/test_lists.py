"""Fireship: lists of legal moves stay short enough for play by hand; the longest are printed with -s."""

from __future__ import annotations

from random import Random
from time import process_time

from engine_core.explore import weighted_index
from engine_core.game import NATURE, Over, Turn
from tests.engine_core.games.fireship.crowded import aggressive_choice
from tests.engine_core.games.fireship.positions import GAME

MATCHES = 24


def worst_lists() -> tuple[dict[str, int], int, float]:
    """Longest list by its commonest kind of move, most bytes of notation, longest milliseconds."""
    longest: dict[str, int] = {}
    most_bytes = 0
    slowest = 0.0
    presets = list(GAME.presets().values())
    for number in range(MATCHES):
        random = Random(number)
        state = GAME.start(2 + number % 3, presets[number // 3 % 3])
        phase = GAME.phase(state)
        while not isinstance(phase, Over):
            if isinstance(phase, Turn):
                seat = phase.seats[0]
                before = process_time()
                moves = GAME.legal_moves(state, seat)
                slowest = max(slowest, process_time() - before)
                kind = type(moves[0]).__name__
                longest[kind] = max(longest.get(kind, 0), len(moves))
                most_bytes = max(most_bytes, sum([len(GAME.notation(move)) for move in moves]))
                GAME.apply(state, seat, aggressive_choice(state, seat, random))
            else:
                choice = weighted_index(GAME.weights(state), random.getrandbits)
                GAME.apply(state, NATURE, GAME.legal_moves(state, NATURE)[choice])
            phase = GAME.phase(state)
    return longest, most_bytes, 1000 * slowest


def test_the_longest_lists_of_legal_moves_are_recorded_and_short() -> None:
    longest, most_bytes, slowest = worst_lists()
    print(f"\nlongest lists {longest}, most bytes {most_bytes}, slowest {slowest:.2f} ms")
    assert longest.pop("Sail") <= 164
    assert max(longest.values()) <= 90
    assert most_bytes <= 4000
    assert slowest < 100
