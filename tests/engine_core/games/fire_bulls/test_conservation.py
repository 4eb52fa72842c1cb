"""Fire Bulls, at every move of a match: each card is in one place, and certain knowledge is true."""

from __future__ import annotations

from random import Random

import pytest

from engine_core.explore import random_step
from engine_core.games.fire_bulls.components import EMPTY, FULL_DECK, GENERAL, POINT_COUNTS, RULES_BY_PROFILE, VALUES
from engine_core.games.fire_bulls.rules import FireBulls
from engine_core.games.fire_bulls.stages import OVER
from engine_core.games.fire_bulls.state import GENERAL_ASIDE, FireBullsOptions, FireBullsState
from engine_core.packed import is_superset

GAME = FireBulls()


def attack_cards(state: FireBullsState) -> int:
    return sum((seat.hand for seat in state.seats), state.deck + state.discards + state.reserve)


def point_cards(state: FireBullsState) -> list[int]:
    counts = [undrawn + removed for undrawn, removed in zip(state.undrawn, state.removed, strict=True)]
    for card in state.squares:
        if card != EMPTY:
            counts[card] += 1
    for seat in state.seats:
        counts = [count + won for count, won in zip(counts, seat.victory, strict=True)]
    counts[GENERAL] += state.general_place == GENERAL_ASIDE
    return counts


@pytest.mark.parametrize("profile", RULES_BY_PROFILE)
@pytest.mark.parametrize("seat_count", [2, 3, 4, 5])
def test_cards_and_points_are_conserved_at_every_move(profile: str, seat_count: int) -> None:
    random = Random(f"conservation {profile} {seat_count}")
    for _ in range(6):
        state = GAME.start(seat_count, FireBullsOptions(profile))
        going = True
        while going:
            assert attack_cards(state) == FULL_DECK
            assert point_cards(state) == POINT_COUNTS
            assert sum(state.piles) == sum(state.undrawn)
            going = random_step(GAME, state, random)
        assert state.stage == OVER
        assert sum(count * value for count, value in zip(point_cards(state), VALUES, strict=True)) == 138


@pytest.mark.parametrize("profile", RULES_BY_PROFILE)
def test_certain_knowledge_is_true_at_every_move(profile: str) -> None:
    random = Random(f"certain {profile}")
    for seats in (2, 3, 4, 5):
        state = GAME.start(seats, FireBullsOptions(profile))
        while random_step(GAME, state, random):
            assert is_superset(state.deck_at_most, state.deck)
            for seat in state.seats:
                assert is_superset(seat.hand, seat.known_cards)
                assert is_superset(seat.deck_at_most, state.deck)
                assert is_superset(state.deck_at_most, seat.deck_at_most)
