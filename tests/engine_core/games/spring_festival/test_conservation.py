"""Spring Festival, at every move: each tile and card is in one place, and the store gave what it should."""

from __future__ import annotations

from random import Random

import pytest

from engine_core.explore import random_step
from engine_core.games.spring_festival import consistency
from engine_core.games.spring_festival.components import MAX_APPLAUSE, TILES
from engine_core.games.spring_festival.compositions import COMPOSITIONS
from engine_core.games.spring_festival.effects import find_seats_to_move, unlaid_start_tiles
from engine_core.games.spring_festival.squares import FARTHEST, column, row
from engine_core.games.spring_festival.stages import OVER
from engine_core.games.spring_festival.state import SpringFestivalState
from tests.engine_core.games.spring_festival.positions import GAME

PRESETS = list(GAME.presets())


def all_tiles(state: SpringFestivalState) -> list[int]:
    found = state.undrawn + state.top_tiles + state.discards + state.replaced
    for number, seat in enumerate(state.seats):
        found = found + seat.display.tiles + [seat.tile] + unlaid_in_setup(state, number)
    return sorted([tile for tile in found if tile >= 0])


def unlaid_in_setup(state: SpringFestivalState, number: int) -> list[int]:
    return unlaid_start_tiles(state, number) if state.round == 0 else []


def all_cards(state: SpringFestivalState) -> list[int]:
    found = state.undrawn_patterns + state.undrawn_colours
    for seat in state.seats:
        found = found + seat.cards + seat.completed
    return sorted(found)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seat_count", [2, 3, 4])
def test_tiles_and_cards_are_conserved_at_every_move(seat_count: int, preset: str) -> None:
    random = Random(f"conservation {preset} {seat_count}")
    options = GAME.presets()[preset]
    sets = range(4 * seat_count)
    used = [n for n, card in enumerate(COMPOSITIONS) if options.extra_compositions or int(card.name[1:]) <= 24]
    for _ in range(4):
        state = GAME.start(seat_count, options)
        going = True
        while going:
            assert all_tiles(state) == [*sets, *range(16, len(TILES))]
            assert all_cards(state) == used
            assert state.seats_to_move == find_seats_to_move(state)
            going = random_step(GAME, state, random)
        assert state.stage == OVER


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seat_count", [2, 3, 4])
def test_every_position_of_a_match_is_consistent(seat_count: int, preset: str) -> None:
    random = Random(f"consistency {preset} {seat_count}")
    for _ in range(3):
        state = GAME.start(seat_count, GAME.presets()[preset])
        going = True
        while going:
            consistency.check_seats(state)
            consistency.check(state)
            going = random_step(GAME, state, random)


def test_displays_stay_within_their_bounds() -> None:
    random = Random("bounds")
    for _ in range(20):
        state = GAME.start(4, GAME.presets()["base"])
        while random_step(GAME, state, random):
            for seat in state.seats:
                assert len(seat.display.tiles) <= 16
                assert 0 <= seat.applause <= MAX_APPLAUSE
                assert all(abs(column(s)) <= FARTHEST and abs(row(s)) <= FARTHEST for s in seat.display.squares)
