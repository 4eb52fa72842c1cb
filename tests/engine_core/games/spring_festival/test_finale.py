"""Spring Festival: the end of a match: twelve rounds, the finale, majorities and ties."""

from __future__ import annotations

from random import Random

import pytest

from engine_core.explore import playout
from engine_core.games.spring_festival.squares import column, row
from engine_core.games.spring_festival.stages import OVER
from engine_core.games.spring_festival.state import SpringFestivalOptions
from tests.conformance.test_playouts import PLAYOUTS
from tests.engine_core.games.spring_festival.positions import (
    GAME,
    ONE_TILE,
    START_SETS,
    Position,
    finale_position,
    new_position,
    parse_display,
    position_after_start_tiles,
)
from tests.engine_core.games.spring_festival.test_chains import brute_force


@pytest.mark.parametrize("seat_count", [2, 3, 4])
def test_fw49_a_match_has_exactly_twelve_rounds(seat_count: int) -> None:
    random = Random(seat_count)
    for _ in range(PLAYOUTS // 3):
        state = GAME.start(seat_count, SpringFestivalOptions())
        playout(GAME, state, random)
        assert (state.stage, state.round, state.undrawn) == (OVER, 12, [])
        assert len(state.discards) == 12 * (4 - seat_count)
        laid_or_gone = sum(len(seat.display.tiles) for seat in state.seats) + len(state.replaced)
        assert laid_or_gone == (12 + 4) * seat_count


def last_round_position(shown: str, held: str) -> Position:
    position = new_position([shown, ONE_TILE], ["T48", "T39"], held=[held], round_=12)
    return position.play("0: place 0 1", "1: place 1 0")


def test_fw50_compositions_of_the_last_round_may_be_completed_before_the_finale() -> None:
    position = last_round_position("T10!@0,0 T47!@1,0 T11!@2,0", "C01")
    position.play("complete C01 0 0 0", "deal 0 C02")
    assert position.to_move() == (0, 1)
    assert {move.split()[0] for move in position.moves(0)} == {"launch"}


def test_fw50_no_composition_may_be_completed_after_the_finale() -> None:
    position = last_round_position("T10!@0,0 T47!@1,0 T11!@2,0", "C01").play("pass")
    position.play("0: launch 0 0", "1: launch 0 0")
    assert position.reason() == "finale"


def test_fw51_all_tiles_are_rockets_and_the_player_chooses_one() -> None:
    position = last_round_position("T10!@0,0 T47!@1,0 T11!@2,0", "").pass_all()
    assert position.exploded() == ""
    assert position.moves(0) == ["launch 0 0", "launch 1 0", "launch 2 0", "launch 0 1"]


def test_fw51_the_choice_need_not_be_the_best() -> None:
    position = finale_position(["T44@0,0 T43@2,0 T36@1,0", ONE_TILE]).play("0: launch 1 0")
    assert position.breakdown()["finale"] == 1


def test_fw52_the_explosions_after_the_finale_count() -> None:
    position = finale_position(["T44@0,0 T36@1,0 T43@2,0", ONE_TILE])
    assert position.breakdown()["finale"] == 0
    assert position.play("0: launch 0 0").breakdown()["finale"] == 2


def test_fw53_a_perfect_finale_is_applauded_thrice_before_majorities_and_ties() -> None:
    position = finale_position(["T44@0,0 T43@1,0", ONE_TILE.replace("T03", "T47") + " T48@1,0"], applause=[0, 2])
    position.play("0: launch 0 0", "1: launch 0 0")
    assert position.applause() == [3, 2]
    assert position.breakdown(0) == {"finale": 2, "applause": 3, "majorities": 3}
    assert position.breakdown(1) == {"finale": 1, "applause": 2, "majorities": 0}


def test_vector_a_perfect_finale_of_sixteen_tiles_gives_sixteen_points_and_three_applause() -> None:
    """Four-arrow tiles with N, E, S and W, or all diagonals: a snake in which each sets off the next."""
    names = [
        "T44",
        "T38",
        "T42",
        "S1-1",
        "T03",
        "T06",
        "T09",
        "T12",
        "T24",
        "T15",
        "T29",
        "S4-2",
        "S3-2",
        "S2-2",
        "T21",
        "T47",
    ]
    line = " ".join([f"{name}@{place},0" for place, name in enumerate(names)])
    position = finale_position([line, ONE_TILE], applause=[0, 3]).play("0: launch 0 0", "1: launch 0 0")
    assert position.breakdown()["finale"] == 16
    assert position.applause() == [3, 6]


def test_fw54_the_order_of_launches_changes_nothing() -> None:
    results = []
    for order in ("01", "10"):
        position = finale_position([START_SETS[0], START_SETS[1]])
        for seat in order:
            before = position.moves(1 - int(seat))
            position.play(f"{seat}: {position.moves(int(seat))[0]}")
            assert position.moves(1 - int(seat)) in (before, [])
        results.append((position.points(), position.display(0), position.display(1)))
    assert results[0] == results[1]


def test_the_finale_equals_that_of_a_brute_force() -> None:
    random = Random(51)
    for _ in range(60):
        position = position_after_start_tiles(2)
        while position.to_move() != (0, 1) or not position.moves(0)[0].startswith("launch"):
            position.play_draws()
            for seat in position.to_move():
                position.play(f"{seat}: {random.choice(position.moves(seat))}")
            position.play_draws()
        shown = parse_display(position.display(0))
        for slot, square in enumerate(shown.squares):
            after = GAME.next_state(position.state, 0, GAME.parse(f"launch {column(square)} {row(square)}"))
            exploded = after.seats[0].display.exploded
            assert {other for other in range(16) if exploded >> other & 1} == brute_force(shown, slot)


def test_vector_three_seats_with_five_five_and_two_applause() -> None:
    position = new_position(
        [ONE_TILE, ONE_TILE.replace("T03", "T06"), ONE_TILE.replace("T03", "T09")], applause=[5, 5, 2]
    )
    assert [position.breakdown(seat)["majorities"] for seat in range(3)] == [3, 3, 0]
    assert position.points() == [8, 8, 2]


@pytest.mark.parametrize(
    ("applause", "majorities"),
    [
        ([1, 0, 0, 0], [9, 0, 0, 0]),
        ([3, 2, 1, 0], [9, 6, 3, 0]),
        ([2, 2, 2, 2], [0, 0, 0, 0]),
        ([4, 4, 0, 0], [6, 6, 0, 0]),
    ],
)
def test_fw55_three_points_for_each_opponent_with_less_applause(applause: list[int], majorities: list[int]) -> None:
    position = new_position(
        [ONE_TILE, ONE_TILE.replace("T03", "T06"), ONE_TILE.replace("T03", "T09"), ONE_TILE.replace("T03", "T12")],
        applause=applause,
    )
    assert [position.breakdown(seat)["majorities"] for seat in range(4)] == majorities


def test_fw55_seats_that_left_count_as_opponents() -> None:
    position = new_position(
        [ONE_TILE, ONE_TILE.replace("T03", "T06"), ONE_TILE.replace("T03", "T09")], applause=[1, 2, 0]
    ).leave(2)
    assert position.breakdown(0)["majorities"] == 3


def test_fw56_equal_points_are_decided_by_applause() -> None:
    position = finale_position(["T47@0,0", "T46@0,0"], applause=[0, 0])
    position.state.seats[0].completed.append(0)
    position.state.seats[1].applause = 1
    position.play("0: launch 0 0", "1: launch 0 0")
    assert position.points() == [1 + 3 + 4, 1 + 4 + 3]
    assert (position.ranks(), position.winners()) == ([2, 1], [1])


def test_fw56_equal_applause_shares_the_victory() -> None:
    position = finale_position(["T47@0,0", "T46@0,0"]).play("0: launch 0 0", "1: launch 0 0")
    assert (position.ranks(), position.winners()) == ([1, 1], [0, 1])
