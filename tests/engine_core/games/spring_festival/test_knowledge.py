"""Spring Festival: hidden information, determinization, and the draws of nature."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine_core.game import NATURE, SPECTATOR, Chance, Over, Turn
from engine_core.games.spring_festival.display import empty_display
from engine_core.games.spring_festival.squares import CENTRE
from engine_core.games.spring_festival.state import SpringFestivalOptions
from tests.conformance.plain import plain
from tests.engine_core.games.spring_festival.positions import (
    GAME,
    ONE_TILE,
    format_display,
    new_position,
    parse_display,
    position_after_start_tiles,
    start_position,
)


def test_fw07_fw08_piles_have_no_order_in_a_state() -> None:
    """So there is none to leak: what is undrawn is kept ascending, whatever will come next."""
    position = position_after_start_tiles(3)
    assert position.state.undrawn == sorted(position.state.undrawn)
    assert position.state.undrawn_patterns == sorted(position.state.undrawn_patterns)
    assert position.view(0).undrawn == position.view(SPECTATOR).undrawn == position.state.undrawn


def test_a_sealed_placement_is_drawn_anew_for_the_others_and_kept_for_its_seat() -> None:
    position = position_after_start_tiles(3).play("orient 0").play_draws().play("1: place 2 0")
    truth = position.state.seats[1].placement
    random = Random(5)
    own = {GAME.determinize(position.state, 1, random).seats[1].placement for _ in range(30)}
    assert own == {truth}
    drawn = Counter(GAME.determinize(position.state, 0, random).seats[1].placement for _ in range(3000))
    choices = position.state.seats[1].display.reachable
    assert set(drawn) == set(choices)
    expected = 3000 / len(choices)
    assert all(0.7 * expected < drawn[choice] < 1.3 * expected for choice in choices)


def test_sealed_start_tiles_are_drawn_anew_and_as_many_as_there_are() -> None:
    position = start_position(2).play_draws().play("1: lay S2-3 0 0", "1: lay S2-1 0 1")
    random = Random(6)
    seen = {format_display(GAME.determinize(position.state, 0, random).seats[1].display) for _ in range(600)}
    assert len(seen) == 4 * 3 * 4
    assert {format_display(GAME.determinize(position.state, 1, random).seats[1].display) for _ in range(10)} == {
        position.display(1)
    }


def test_determinize_does_not_change_seen_information() -> None:
    position = position_after_start_tiles(2).play("orient 0").play_draws()
    copied = GAME.determinize(position.state, SPECTATOR, Random(1))
    assert plain(copied) == plain(position.state)


def test_fw69_every_outcome_of_nature_has_the_same_weight() -> None:
    state = GAME.start(3, SpringFestivalOptions("random"))
    random = Random(69)
    purposes: Counter[tuple[str, str]] = Counter()
    while not isinstance(phase := GAME.phase(state), Over):
        seat = random.choice(phase.seats) if isinstance(phase, Turn) else NATURE
        legal = GAME.legal_moves(state, seat)
        if isinstance(phase, Chance):
            purposes[phase.purpose, phase.pool] += 1
            assert GAME.weights(state) == [1] * len(legal)
            assert len({GAME.pool_item(move) for move in legal}) == len(legal)
        GAME.apply(state, seat, random.choice(legal))
    assert purposes["store", "store"] == 48
    assert purposes["sign", ""] == purposes["first_seat", ""] == 1
    assert purposes["pattern", "pattern"] >= 6
    assert purposes["colour", "colour"] >= 6
    assert len(purposes) == 5


def test_fw69_a_draw_with_one_outcome_is_still_a_move_of_nature() -> None:
    position = new_position(
        ["T10!@0,0 T47!@1,0 T11!@2,0", ONE_TILE], ["T48", "T39"], held=["C01"], colours="C02", active=0
    ).play("0: place 0 1", "1: place 1 0", "complete C01 0 0 0")
    assert (position.seat(), position.moves()) == (NATURE, ["deal 0 C02"])
    last = position_after_start_tiles(2)
    for _ in range(10):
        last.play("orient 0").round_off()
    last.play("orient 0")
    for _ in range(3):
        last.play(last.moves()[0])
    assert (last.seat(), len(last.moves())) == (NATURE, 1)


def test_fw69_the_field_item_names_the_tile_or_card() -> None:
    assert GAME.pool_item(GAME.parse("reveal 3 T13")) == GAME.pool_item(GAME.parse("reveal 0 T13")) == "T13"
    assert GAME.pool_item(GAME.parse("deal 3 C12")) == "C12"


def test_fw02_applause_is_a_number_without_a_supply() -> None:
    position = new_position(["T36@0,0", ONE_TILE], ["T33", "T01"], applause=[36, 36]).play(
        "0: place 1 0", "1: place 1 0"
    )
    assert position.applause()[0] == 37


def test_a_display_is_parsed_and_formatted_equally() -> None:
    text = "T31@0,0 T13!@1,0 T19@1,-1"
    assert format_display(parse_display(text)) == text


@pytest.mark.parametrize("seed", range(5))
def test_neighbours_and_reachable_squares_follow_from_the_tiles(seed: int) -> None:
    """Laid in any order that keeps it connected, a display is the same but for its slots."""
    random = Random(seed)
    shown = empty_display()
    assert shown.reachable == [CENTRE]
    for tile in random.sample(range(64), 16):
        shown.put_tile(tile, random.choice(shown.free_squares()))
    squares = set(shown.squares)
    around = {square + step for square in squares for step in (1, -1, 33, -33)}
    assert shown.reachable == sorted(squares | around)
    for slot, square in enumerate(shown.squares):
        for towards, step in enumerate([-33, -32, 1, 34, 33, 32, -1, -34]):
            assert shown.neighbours[8 * slot + towards] == shown.slot_at(square + step)
