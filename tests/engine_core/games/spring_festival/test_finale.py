"""Spring Festival: the end of a match: twelve rounds, the finale, majorities and ties."""

from __future__ import annotations

from random import Random

import pytest

from engine_core.explore import playout
from engine_core.games.spring_festival.squares import column, row
from engine_core.games.spring_festival.stages import OVER
from engine_core.games.spring_festival.state import SpringFestivalOptions
from tests.conformance.test_playouts import PLAYOUTS
from tests.engine_core.games.spring_festival.positions import FAR, GAME, SETS, Table, display, finale, laid, position
from tests.engine_core.games.spring_festival.test_chains import brute_force


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_fw49_a_match_has_exactly_twelve_rounds(seats: int) -> None:
    random = Random(seats)
    for _ in range(PLAYOUTS // 3):
        state = GAME.start(seats, SpringFestivalOptions())
        playout(GAME, state, random)
        assert (state.stage, state.round, state.undrawn) == (OVER, 12, [])
        assert len(state.discards) == 12 * (4 - seats)
        laid_or_gone = sum(len(seat.display.tiles) for seat in state.seats) + len(state.replaced)
        assert laid_or_gone == (12 + 4) * seats


def last_round(shown: str, held: str) -> Table:
    table = position([shown, FAR], ["T48", "T39"], held=[held], round_=12)
    return table.play("0: place 0 1", "1: place 1 0")


def test_fw50_compositions_of_the_last_round_may_be_completed_before_the_finale() -> None:
    table = last_round("T10!@0,0 T47!@1,0 T11!@2,0", "C01")
    table.play("complete C01 0 0 0", "deal 0 C02")
    assert table.to_move() == (0, 1)
    assert {move.split()[0] for move in table.moves(0)} == {"launch"}


def test_fw50_none_may_be_completed_after_it() -> None:
    table = last_round("T10!@0,0 T47!@1,0 T11!@2,0", "C01").play("pass")
    table.play("0: launch 0 0", "1: launch 0 0")
    assert table.reason() == "finale"


def test_fw51_all_tiles_are_rockets_and_the_player_chooses_one() -> None:
    table = last_round("T10!@0,0 T47!@1,0 T11!@2,0", "").pass_all()
    assert table.exploded() == ""
    assert table.moves(0) == ["launch 0 0", "launch 1 0", "launch 2 0", "launch 0 1"]


def test_fw51_the_choice_need_not_be_the_best() -> None:
    table = finale(["T44@0,0 T43@2,0 T36@1,0", FAR]).play("0: launch 1 0")
    assert table.breakdown()["finale"] == 1


def test_fw52_the_explosions_after_the_finale_count() -> None:
    table = finale(["T44@0,0 T36@1,0 T43@2,0", FAR])
    assert table.breakdown()["finale"] == 0
    assert table.play("0: launch 0 0").breakdown()["finale"] == 2


def test_fw53_a_perfect_finale_is_applauded_thrice_before_majorities_and_ties() -> None:
    table = finale(["T44@0,0 T43@1,0", FAR.replace("T03", "T47") + " T48@1,0"], applause=[0, 2])
    table.play("0: launch 0 0", "1: launch 0 0")
    assert table.applause() == [3, 2]
    assert table.breakdown(0) == {"finale": 2, "applause": 3, "majorities": 3}
    assert table.breakdown(1) == {"finale": 1, "applause": 2, "majorities": 0}


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
    table = finale([line, FAR], applause=[0, 3]).play("0: launch 0 0", "1: launch 0 0")
    assert table.breakdown()["finale"] == 16
    assert table.applause() == [3, 6]


def test_fw54_the_order_of_launches_changes_nothing() -> None:
    results = []
    for order in ("01", "10"):
        table = finale([SETS[0], SETS[1]])
        for seat in order:
            before = table.moves(1 - int(seat))
            table.play(f"{seat}: {table.moves(int(seat))[0]}")
            assert table.moves(1 - int(seat)) in (before, [])
        results.append((table.points(), table.display(0), table.display(1)))
    assert results[0] == results[1]


def test_the_finale_is_that_of_a_brute_force() -> None:
    random = Random(51)
    for _ in range(60):
        table = laid(2)
        while table.to_move() != (0, 1) or not table.moves(0)[0].startswith("launch"):
            table.play_draws()
            for seat in table.to_move():
                table.play(f"{seat}: {random.choice(table.moves(seat))}")
            table.play_draws()
        shown = display(table.display(0))
        for slot, square in enumerate(shown.squares):
            after = GAME.next_state(table.state, 0, GAME.parse(f"launch {column(square)} {row(square)}"))
            exploded = after.seats[0].display.exploded
            assert {other for other in range(16) if exploded >> other & 1} == brute_force(shown, slot)


def test_vector_three_seats_with_five_five_and_two_applause() -> None:
    table = position([FAR, FAR.replace("T03", "T06"), FAR.replace("T03", "T09")], applause=[5, 5, 2])
    assert [table.breakdown(seat)["majorities"] for seat in range(3)] == [3, 3, 0]
    assert table.points() == [8, 8, 2]


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
    table = position(
        [FAR, FAR.replace("T03", "T06"), FAR.replace("T03", "T09"), FAR.replace("T03", "T12")], applause=applause
    )
    assert [table.breakdown(seat)["majorities"] for seat in range(4)] == majorities


def test_fw55_seats_that_left_count_as_opponents() -> None:
    table = position([FAR, FAR.replace("T03", "T06"), FAR.replace("T03", "T09")], applause=[1, 2, 0]).leave(2)
    assert table.breakdown(0)["majorities"] == 3


def test_fw56_equal_points_are_decided_by_applause() -> None:
    table = finale(["T47@0,0", "T46@0,0"], applause=[0, 0])
    table.state.seats[0].completed.append(0)
    table.state.seats[1].applause = 1
    table.play("0: launch 0 0", "1: launch 0 0")
    assert table.points() == [1 + 3 + 4, 1 + 4 + 3]
    assert (table.ranks(), table.winners()) == ([2, 1], [1])


def test_fw56_equal_applause_shares_the_victory() -> None:
    table = finale(["T47@0,0", "T46@0,0"]).play("0: launch 0 0", "1: launch 0 0")
    assert (table.ranks(), table.winners()) == ([1, 1], [0, 1])
