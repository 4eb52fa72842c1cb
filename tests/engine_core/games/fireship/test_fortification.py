"""Fireship: fortifying islands with rings (FS-95 to FS-101)."""

from __future__ import annotations

import pytest

from engine_core.games.fireship.state import FireshipOptions
from tests.engine_core.games.fireship.positions import Position, new_position


def listed_rings(position: Position) -> list[str]:
    return [move.removeprefix("fortify ") for move in position.moves_starting("fortify")]


def position_by_island(boats: str, flag: str = "green", **rest: object) -> Position:
    """Green after its throw, with pawns by island 1."""
    fleets = {"green": boats, "red": "boat o15", "white": ""}
    return new_position(fleets, islands={1: flag}, dice=(6, 6), **rest)  # type: ignore[arg-type]


def test_fs95_two_own_boats_within_one_square_of_the_land_pay_for_a_ring() -> None:
    assert listed_rings(position_by_island("boat a4, boat e5")) == []
    assert listed_rings(position_by_island("boat b4, boat e5, boat g5")) == ["1: b4 e5"]


def test_fs95_the_port_boat_counts() -> None:
    assert listed_rings(position_by_island("2 boat e4")) == ["1: e4 e4"]


def test_fs95_each_pair_of_unlike_boats_is_listed_once() -> None:
    assert listed_rings(position_by_island("2 boat e4, boat e5")) == ["1: e4 e4", "1: e4 e5"]


def test_fs96_a_ring_may_go_with_ways_and_an_attack() -> None:
    position = position_by_island("2 boat e4, plane h6, boat h6")
    position.play("choose_pawn plane h6", "sail h5", "fortify 1: e4 e4", "choose_pawn boat h6", "sail g5")
    position.play("attack h5: island 2")
    assert position.purpose() == "battle"


def test_fs96_there_is_no_ring_after_the_main_action() -> None:
    position = position_by_island("2 boat e4, plane h5, boat g5").play("attack h5: island 2", "die 2")
    assert listed_rings(position) == []


def test_fs97_one_ring_a_turn() -> None:
    position = position_by_island("2 boat e4, 2 boat e5").play("fortify 1: e4 e4")
    assert listed_rings(position) == []


def test_fs98_the_boats_go_back_to_the_reserve() -> None:
    position = position_by_island("2 boat e4, boat a1").play("fortify 1: e4 e4")
    assert (position.pawns("green"), position.island(1)) == ("boat a1", "green 1")
    assert position.state.kind_counts[0] == [1, 0, 0]


def test_fs99_planes_and_battleships_cannot_pay() -> None:
    assert listed_rings(position_by_island("boat e4, plane e5, battleship d5")) == []


def test_fs99_an_island_has_at_most_three_rings() -> None:
    assert listed_rings(position_by_island("2 boat e4", "green 2")) == ["1: e4 e4"]
    assert listed_rings(position_by_island("2 boat e4", "green 3")) == []


@pytest.mark.parametrize(("flag", "power"), [("red", 2), ("red 1", 5), ("red 2", 8), ("red 3", 11)])
def test_fs99_rings_give_their_powers(flag: str, power: int) -> None:
    position = position_by_island("2 battleship e5, 2 plane d5", flag).play("attack e5: island 1")
    assert position.view(-2).defence_power == power


def test_fs100_a_ring_may_be_answered_by_non() -> None:
    assert position_by_island("2 boat e4", hands=["", "fog"]).play("fortify 1: e4 e4").seats_to_answer() == (1,)


def test_fs101_white_and_foreign_islands_cannot_be_fortified() -> None:
    assert listed_rings(position_by_island("2 boat e4", "white")) == []
    assert listed_rings(position_by_island("2 boat e4", "red")) == []


def test_fs101_rings_stay_with_the_island_when_its_owner_leaves() -> None:
    position = position_by_island("2 boat e4").play("fortify 1: e4 e4", "end_turn")
    assert position.island(1) == "green 1"


def test_fs08_without_the_option_there_are_no_rings() -> None:
    assert listed_rings(position_by_island("2 boat e4", options=FireshipOptions(fortification=False))) == []


def test_fs115_boats_are_named_by_square_and_marks() -> None:
    position = new_position({"green": "boat f2 arrived, boat f2, boat f3"}, islands={2: "green"}, dice=(6, 6))
    assert listed_rings(position) == ["2: f2 f2 arrived", "2: f2 f3", "2: f2 arrived f3"]
