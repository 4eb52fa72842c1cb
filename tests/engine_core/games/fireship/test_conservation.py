"""Fireship, at every move: pawns, cards and badges are conserved, and derived counts agree."""

from __future__ import annotations

from random import Random

import pytest

from engine_core.explore import random_step
from engine_core.game import NATURE, Over, Turn
from engine_core.games.fireship.board import IS_SEA, ISLANDS, SQUARES
from engine_core.games.fireship.components import (
    BADGE_STOCK,
    FULL_DECK,
    HAND_CARD_LANES,
    PAWNS_PER_KIND,
    POWERS,
    RINGS,
    WHITE,
)
from engine_core.games.fireship.consistency import check
from engine_core.games.fireship.moves import CLASSES, MARKS
from engine_core.games.fireship.state import MAX_PAWNS_ON_SEA, FireshipState
from engine_core.packed import is_superset
from tests.engine_core.games.fireship.crowded import aggressive_choice, crowded_position
from tests.engine_core.games.fireship.positions import GAME


def assert_conserved(state: FireshipState) -> None:
    assert state.deck + state.discards + sum([seat.hand for seat in state.seats]) == FULL_DECK
    for badge, there_are in enumerate(BADGE_STOCK):
        assert state.badge_stock[badge] + sum([seat.badges[badge] for seat in state.seats]) == there_are
    assert sorted(state.owners) == sorted(
        [owner for owner in state.owners if owner == WHITE or is_colour_in_match(state, owner)]
    )
    assert len(state.pawns[WHITE]) <= ISLANDS
    assert all(0 <= rings <= RINGS for rings in state.rings)
    for seat in state.seats:
        assert seat.hand & HAND_CARD_LANES == seat.hand
        assert is_superset(seat.deck_at_most, state.deck)
        assert is_superset(state.deck_at_most, seat.deck_at_most)


def is_colour_in_match(state: FireshipState, owner: int) -> bool:
    return state.seat_of_colour[owner] >= 0


def assert_counts_agree(state: FireshipState) -> None:
    """Counts by kind and square, and powers, are those of the pawns."""
    count = [0] * SQUARES
    for owner, pawns in enumerate(state.pawns):
        assert pawns == sorted(pawns)
        kinds = [pawn % CLASSES // MARKS for pawn in pawns]
        assert state.kind_counts[owner] == [kinds.count(kind) for kind in range(3)]
        assert owner == WHITE or all(kinds.count(kind) <= PAWNS_PER_KIND[kind] for kind in range(3))
        power = [0] * SQUARES
        for pawn, kind in zip(pawns, kinds, strict=True):
            square = pawn // CLASSES
            count[square] += 1
            power[square] += POWERS[kind] if IS_SEA[square] else 0
        assert state.power_on_square[owner] == power
    assert state.pawn_counts == count
    assert all(number <= MAX_PAWNS_ON_SEA for square, number in enumerate(count) if IS_SEA[square])


@pytest.mark.parametrize("preset", GAME.presets())
@pytest.mark.parametrize("seat_count", [2, 3, 4])
def test_everything_is_conserved_at_every_move(preset: str, seat_count: int) -> None:
    random = Random(f"conservation {preset} {seat_count}")
    for _ in range(2):
        state = GAME.start(seat_count, GAME.presets()[preset])
        going = True
        while going:
            assert_conserved(state)
            assert_counts_agree(state)
            going = random_step(GAME, state, random)


@pytest.mark.parametrize("seed", range(4))
def test_everything_is_conserved_in_matches_with_many_response_windows(seed: int) -> None:
    random = Random(seed)
    state = crowded_position(random).state
    phase = GAME.phase(state)
    while not isinstance(phase, Over):
        assert_conserved(state)
        assert_counts_agree(state)
        check(state)
        if isinstance(phase, Turn):
            seat = random.choice(phase.seats)
            GAME.apply(state, seat, aggressive_choice(state, seat, random))
        else:
            GAME.apply(state, NATURE, random.choice(GAME.legal_moves(state, NATURE)))
        if random.random() < 0.002 and not isinstance(GAME.phase(state), Over):
            seat = random.randrange(4)
            if not state.seats[seat].has_left:
                GAME.leave(state, seat)
        phase = GAME.phase(state)
    check(state)
