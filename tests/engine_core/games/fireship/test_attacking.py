"""Fireship: attacks and battles (FS-32 to FS-57)."""

from __future__ import annotations

import pytest

from engine_core.games.fireship.state import FireshipOptions
from tests.engine_core.games.fireship.positions import Position, new_position


def listed_attacks(position: Position) -> list[str]:
    return [move.removeprefix("attack ") for move in position.moves_starting("attack")]


def attacks_on_pawns(position: Position) -> list[str]:
    return [attack for attack in listed_attacks(position) if "island" not in attack]


def battle_powers(position: Position, attack: str) -> tuple[int, int]:
    """Powers of attack and defence once it is declared."""
    view = position.copy().play(f"attack {attack}").view(-2)
    return view.attack_power, view.defence_power


EQUAL_POWER_WINS = {"die 5", "die 6"}
GREATER_POWER_WINS = {"die 4", "die 5", "die 6"}


def winning_faces(position: Position, attack: str, won: str = "green") -> set[str]:
    """The faces that bring the island of the attack."""
    declared = position.copy().play(f"attack {attack}")
    number = int(attack.split("island ")[1].split()[0])
    return {die for die in declared.moves() if declared.copy().play(die).island(number) == won}


@pytest.mark.parametrize(
    ("pawns", "islands", "attack", "strength", "faces"),
    [
        ("plane e5, boat d5", {}, "e5: island 1", (3, 3), EQUAL_POWER_WINS),
        ("plane e5, 2 boat d5", {}, "e5: island 1", (4, 3), GREATER_POWER_WINS),
        ("battleship e5, plane d5", {1: "red 1"}, "e5: island 1", (6, 6), EQUAL_POWER_WINS),
        ("2 boat e5, boat d5, plane f5", {1: "red 1"}, "e5: island 1", (5, 5), EQUAL_POWER_WINS),
        ("2 battleship e5, 2 plane d5, plane f5", {1: "red 3"}, "e5: island 1", (14, 12), GREATER_POWER_WINS),
    ],
)
def test_the_table_of_section_5(
    pawns: str, islands: dict[int, str], attack: str, strength: tuple[int, int], faces: set[str]
) -> None:
    # An island of red has a boat in its port, but where the table says that none is by it.
    boats = {} if not islands or strength == (5, 5) else {"red": "boat e4"}
    position = new_position(
        {"green": pawns, **boats, **({"white": ""} if islands else {})}, islands=islands, dice=(6, 6)
    )
    assert battle_powers(position, attack) == strength
    assert winning_faces(position, attack) == faces


def test_the_table_of_section_5_two_boats_may_attack_the_white_boat_but_not_the_island() -> None:
    position = new_position({"green": "boat e5, boat d5"}, dice=(6, 6))
    assert listed_attacks(position) == ["d5: white e4", "e5: white e4"]
    assert battle_powers(position, "e5: white e4") == (2, 1)


def test_the_table_of_section_5_a_start_fleet_may_not_attack_a_ring_with_a_boat_by_it() -> None:
    position = new_position(
        {"green": "2 boat e5, boat d5, plane f5", "red": "boat e4", "white": ""}, islands={1: "red 1"}, dice=(6, 6)
    )
    assert not [attack for attack in listed_attacks(position) if "island 1" in attack]


def test_the_table_of_section_5_a_defenders_plus_one_makes_an_equal_attack_fail_without_a_throw() -> None:
    position = new_position(
        {"green": "plane e5, boat d5", "red": "boat e4", "white": ""},
        islands={1: "red"},
        hands=["", "plus_one"],
        dice=(6, 6),
    )
    position.play("attack e5: island 1", "1: plus_one")
    assert (position.moves(), position.island(1), position.pawns("red")) == (["end_turn"], "red", "boat e4")


def test_fs32_fs33_the_attacking_pawn_is_within_one_square_of_the_target() -> None:
    assert listed_attacks(new_position({"green": "battleship e1"}, dice=(6, 6))) == []
    assert listed_attacks(new_position({"green": "battleship e2"}, dice=(6, 6))) == [
        "e2: island 1"
    ]  # a corner of the land
    assert listed_attacks(new_position({"green": "boat i10", "red": "boat k11", "white": ""}, dice=(6, 6))) == []
    position = new_position({"green": "boat j10", "red": "boat k11", "white": ""}, dice=(6, 6))
    assert listed_attacks(position) == ["j10: red k11"]


@pytest.mark.parametrize("kind", ["boat", "plane", "battleship"])
def test_fs34_any_kind_of_pawn_attacks_with_its_own_power(kind: str) -> None:
    position = new_position({"green": f"{kind} j10", "red": "boat k11", "white": ""}, dice=(6, 6))
    assert battle_powers(position, "j10: red k11")[0] == {"boat": 1, "plane": 2, "battleship": 4}[kind]


def test_fs35_own_pawns_within_one_square_of_the_attacking_pawn_help() -> None:
    position = new_position({"green": "boat j10, plane j9, boat h10", "red": "boat k11", "white": ""}, dice=(6, 6))
    assert battle_powers(position, "j10: red k11") == (3, 1)


def test_fs36_the_target_is_an_island_or_one_pawn() -> None:
    position = new_position({"green": "battleship e5"}, dice=(6, 6))
    assert listed_attacks(position) == ["e5: island 1", "e5: white e4"]


def test_fs37_an_island_is_defended_by_its_owners_pawns_within_one_square_of_any_land() -> None:
    pawns = {"green": "2 battleship e5", "red": "boat b3, plane e1, boat f3, plane e4", "white": ""}
    position = new_position(pawns, islands={1: "red"}, dice=(6, 6))
    assert battle_powers(position, "e5: island 1") == (8, 2 + 1 + 2)


def test_fs37_a_new_island_has_3() -> None:
    assert battle_powers(new_position({"green": "battleship e5"}, dice=(6, 6)), "e5: island 1") == (4, 3)


def test_fs38_a_pawn_is_defended_by_its_colour_around_it_and_not_by_an_island() -> None:
    pawns = {"green": "2 battleship e5", "red": "boat e4, plane f4, boat f2", "white": ""}
    position = new_position(pawns, islands={1: "red 3"}, dice=(6, 6))
    assert battle_powers(position, "e5: red e4") == (8, 3)


def test_fs39_after_its_boat_the_island_has_2() -> None:
    position = new_position({"green": "2 boat e5", "red": "boat o15"}, dice=(6, 6))
    position.play("attack e5: white e4", "die 4", "end_turn", "throw", "die 2", "die 2", "end_turn")
    position.play("throw", "die skull", "die skull")
    assert battle_powers(position, "e5: island 1") == (2, 2)


def test_fs40_white_may_be_attacked_and_never_attacks() -> None:
    position = new_position({"green": "boat e5"}, dice=(6, 6))
    assert "e5: white e4" in listed_attacks(position)
    position.play("attack e5: white e4", "die 6")
    assert "e4" not in position.pawns("white")


def test_fs41_third_colours_neither_count_nor_suffer() -> None:
    pawns = {"green": "plane e5", "blue": "battleship f4, boat e3", "red": "boat e4", "white": ""}
    position = new_position(pawns, seat_count=3, islands={1: "red"}, dice=(6, 6))
    assert battle_powers(position, "e5: red e4") == (2, 1)
    position.play("attack e5: red e4", "die 6")
    assert position.pawns("blue") == "boat e3, battleship f4"


@pytest.mark.parametrize(("supports", "power"), [(False, 1), (True, 1 + 5)])
def test_fs42_own_islands_give_attack_power_by_option_only(supports: bool, power: int) -> None:
    position = new_position(
        {"green": "boat e5", "red": "boat f5", "white": ""},
        islands={1: "green 1"},
        options=FireshipOptions(island_supports_attack=supports),
        dice=(6, 6),
    )
    assert battle_powers(position, "e5: red f5")[0] == power


def test_fs43_an_attack_needs_as_much_power_as_the_defence_with_its_plus_ones() -> None:
    position = new_position({"green": "plane e5"}, hands=["plus_one plus_one"], dice=(6, 6))
    islands = [attack for attack in listed_attacks(position) if "island" in attack]
    assert islands == ["e5: island 1 +1", "e5: island 1 +2"]
    assert battle_powers(position, "e5: island 1 +2") == (4, 3)


def test_fs44_however_much_greater_one_die_is_thrown() -> None:
    position = new_position({"green": "2 battleship e5"}, dice=(6, 6))
    assert winning_faces(position, "e5: island 1") == GREATER_POWER_WINS


def test_fs45_a_skull_in_battle_is_a_miss() -> None:
    position = new_position({"green": "plane e5, boat d5"}, dice=(6, 6)).play("attack e5: island 1", "die skull")
    assert (position.island(1), position.pawns("green")) == ("white", "boat d5, plane e5")


def test_fs46_a_lost_attack_costs_the_attacker_nothing() -> None:
    position = new_position({"green": "plane e5, boat d5"}, dice=(6, 6)).play("attack e5: island 1", "die 4")
    assert position.pawns("green") == "boat d5, plane e5"


def test_fs47_all_pawns_that_gave_defence_are_lost() -> None:
    pawns = {"green": "2 battleship e5", "red": "boat b3, plane e4, boat f1, boat g5", "white": ""}
    position = new_position(pawns, islands={1: "red"}, dice=(6, 6)).play("attack e5: island 1", "die 6")
    assert position.pawns("red") == "boat f1, boat g5"
    position = new_position({"green": "battleship e5", "red": "2 boat f5, boat g5, boat i5"}, dice=(6, 6))
    assert position.play("attack e5: red f5", "die 6").pawns("red") == "boat i5"


def test_fs48_lost_pawns_go_back_to_the_reserve() -> None:
    position = new_position({"green": "battleship e5", "red": "14 boat o15, boat f4"}, dice=(6, 6))
    position.play("attack e5: red f4", "die 6")
    assert position.state.kind_counts[2][0] == 14
    position.play("end_turn", "throw", "die 2", "die 2")
    position.state.gain_pawn(2, 0)
    assert position.state.kind_counts[2][0] == 15


def test_fs49_no_pawn_is_captured() -> None:
    position = new_position({"green": "battleship e5", "red": "plane f4, boat o15"}, dice=(6, 6))
    position.play("attack e5: red f4", "die 6")
    assert (position.pawns("green"), position.pawns("red")) == ("battleship e5", "boat o15")


def test_fs50_a_taken_island_gets_the_flag_and_a_boat_in_its_port() -> None:
    position = new_position({"green": "battleship e5"}, dice=(6, 6)).play("attack e5: island 1", "die 6")
    assert position.island(1) == "green"
    assert position.pawns("green") == "boat e4, battleship e5"


def test_fs50_without_a_boat_in_reserve_no_boat_is_placed() -> None:
    position = new_position({"green": "battleship e5, 15 boat a1"}, dice=(6, 6)).play("attack e5: island 1", "die 6")
    assert "boat e4" not in position.pawns("green")


def test_fs50_where_the_port_is_full_the_boat_goes_to_the_base() -> None:
    position = new_position({"green": "battleship e5", "red": "2 boat e4", "white": ""}, dice=(6, 6))
    position.play("attack e5: island 1", "die 6")
    assert position.pawns("green") == "boat a1, battleship e5"


def test_fs50_defenders_make_room_in_the_port_first() -> None:
    position = new_position({"green": "battleship e5", "red": "boat e4, boat h15"}, islands={1: "red"}, dice=(6, 6))
    position.state.take_pawn(4, 49 * 16)
    position.play("attack e5: island 1", "die 6")
    assert position.pawns("green") == "boat e4, battleship e5"


def test_fs51_the_attacker_stays_where_it_is() -> None:
    position = new_position({"green": "battleship e5"}, dice=(6, 6)).play("attack e5: island 1", "die 6")
    assert "battleship e5" in position.pawns("green")


def test_fs52_a_taken_island_loses_its_rings() -> None:
    position = new_position({"green": "2 battleship e5"}, islands={1: "red 2"}, dice=(6, 6))
    assert position.play("attack e5: island 1", "die 6").island(1) == "green"


def test_fs53_a_failed_attack_leaves_the_rings() -> None:
    position = new_position({"green": "2 battleship e5"}, islands={1: "red 2"}, dice=(6, 6))
    assert position.play("attack e5: island 1", "die 3").island(1) == "red 2"


def test_fs54_pawns_in_a_base_are_safe_and_useless() -> None:
    position = new_position({"green": "battleship a1, boat b3", "red": "boat o15"}, dice=(6, 6))
    assert listed_attacks(position) == []
    position = new_position({"green": "battleship m14, boat l14", "red": "boat o15"}, dice=(6, 6), islands={9: "green"})
    assert listed_attacks(position) == []


def test_fs54_pawns_in_a_base_do_not_help_the_home_island() -> None:
    position = new_position(
        {"green": "plane a1, 3 boat a1", "red": "battleship e5", "white": ""},
        islands={1: "green"},
        active=1,
        dice=(6, 6),
    )
    assert battle_powers(position, "e5: island 1") == (4, 2)
    position.play("attack e5: island 1", "die 6")
    assert position.pawns("green") == "boat a1, boat a1, boat a1, plane a1"


def test_fs55_attack_and_special_square_exclude_each_other() -> None:
    pawns = {"green": "plane f2 arrived, boat e5, boat d5"}
    position = new_position(pawns, dice=(6, 6)).play("attack e5: white e4", "die 2")
    assert position.moves() == ["end_turn"]
    position = new_position(pawns, dice=(6, 6), deck="fog").play("use_square f2", "card fog")
    assert position.moves() == ["end_turn"]


def test_fs56_of_two_colours_on_a_square_one_is_chosen_with_its_own_helpers() -> None:
    pawns = {"green": "plane j10", "blue": "boat k11, boat l11", "red": "boat k11", "white": ""}
    position = new_position(pawns, seat_count=3, dice=(6, 6))
    assert attacks_on_pawns(position) == ["j10: blue k11", "j10: red k11"]
    assert battle_powers(position, "j10: blue k11") == (2, 2)
    assert battle_powers(position, "j10: red k11") == (2, 1)


def test_fs57_the_attacker_may_stand_on_the_square_of_its_target() -> None:
    position = new_position({"green": "boat k11", "red": "boat k11", "white": ""}, dice=(6, 6))
    assert listed_attacks(position) == ["k11: red k11"]


def test_fs115_an_attack_has_one_attacker_a_square_and_one_target_a_colour_and_square() -> None:
    position = new_position(
        {"green": "boat j10, battleship j10", "red": "boat k11, plane k11", "white": ""}, dice=(6, 6)
    )
    assert attacks_on_pawns(position) == ["j10: red k11"]


def test_fs83_pawns_and_islands_in_the_fog_are_not_attacked() -> None:
    position = new_position({"green": "2 battleship e5", "red": "boat f5"}, islands={1: "red"}, dice=(6, 6))
    assert listed_attacks(position) == ["e5: island 1", "e5: white e4", "e5: red f5"]
    position.state.seats[1].fog = True
    assert listed_attacks(position) == ["e5: white e4"]


def test_an_attack_is_declared_from_every_square_with_a_pawn() -> None:
    position = new_position({"green": "battleship e5, plane d5"}, dice=(6, 6))
    assert [attack.split(":")[0] for attack in listed_attacks(position) if "island 1" in attack] == ["d5", "e5"]
