"""Fireship: the course of a turn and the paths of pawns (FS-12 to FS-31)."""

from __future__ import annotations

import pytest

from engine_core.games.fireship.state import FireshipOptions
from tests.engine_core.games.fireship.positions import Position, new_position


def sail_targets(pawns: dict[str, str], pawn: str, points: int, seat_count: int = 2) -> list[str]:
    """Where a pawn may go."""
    position = new_position(pawns, dice=(6, 6), points=points, seat_count=seat_count).play(f"choose_pawn {pawn}")
    return [move.removeprefix("sail ") for move in position.moves()]


def test_fs12_throw_and_end_turn_are_moves_even_when_they_are_the_only_ones() -> None:
    position = new_position({"red": "boat o15"}, islands={1: "green"})
    position.state.pawns[0].clear()
    assert position.moves() == ["throw"]
    position.play("throw", "die skull", "die skull")
    assert position.moves() == ["end_turn"]


def test_fs13_points_are_split_among_pawns_in_any_order() -> None:
    position = new_position({"green": "2 boat h10"}, dice=(3, 4))
    position.play(
        "choose_pawn boat h10", "sail h9", "choose_pawn boat h10", "sail i10", "choose_pawn boat h9", "sail h10"
    )
    assert position.state.points == 4
    assert "end_turn" in position.moves()


def test_fs13_the_rest_of_the_points_is_lost() -> None:
    position = new_position({"green": "boat h10", "red": "boat o15"}, dice=(3, 4)).play(
        "end_turn", "throw", "die 2", "die skull"
    )
    assert position.state.points == 2


def test_fs14_after_skulls_nobody_sails_but_an_attack_is_possible() -> None:
    position = new_position({"green": "plane e5, boat e4"}, dice=(0, 0))
    assert position.moves_starting("choose_pawn") == []
    assert position.moves_starting("attack") != []


def test_fs15_after_the_main_action_nobody_sails_or_fortifies_but_boum_is_played() -> None:
    position = new_position(
        {"green": "plane e5, boat e4, 2 boat d5", "red": "boat k10"},
        dice=(6, 6),
        hands=["boum"],
        islands={4: "green"},
    )
    position.play("attack e5: white e4", "die 2")
    assert (
        position.moves_starting("choose_pawn")
        == position.moves_starting("fortify")
        == position.moves_starting("attack")
        == []
    )
    assert position.moves()[-1] == "end_turn"
    assert "play_card boum hand: red k10" in position.moves()


def test_fs16_fs17_one_attack_a_turn_and_no_way_after_it() -> None:
    position = new_position({"green": "plane e5, boat e4"}, dice=(6, 6)).play("attack e5: white e4", "die 6")
    assert position.moves() == ["end_turn"]


def test_fs18_a_seat_may_do_nothing() -> None:
    position = new_position({"green": "boat h10", "red": "boat o15"}, dice=(6, 6)).play("end_turn")
    assert position.state.active_seat == 1


def test_fs19_a_step_is_orthogonal_and_costs_a_point_for_every_kind() -> None:
    for kind in ("boat", "plane", "battleship"):
        assert sail_targets({"green": f"{kind} k10", "white": ""}, f"{kind} k10", 1) == ["k9", "j10", "l10", "k11"]


def test_fs20_leaving_a_base_to_an_adjacent_square_costs_a_point() -> None:
    assert sail_targets({"green": "boat a1"}, "boat a1", 1) == ["c1", "c2", "a3", "b3"]


def test_fs21_fs22_no_base_is_entered() -> None:
    assert not {"a1", "b1", "a2", "b2"} & set(sail_targets({"green": "boat c1"}, "boat c1", 6))
    assert not {"o15", "n15", "o14", "n14"} & set(sail_targets({"green": "boat m15"}, "boat m15", 6))


@pytest.mark.parametrize(
    "others", [{"green": "2 boat h10", "white": ""}, {"red": "2 boat h10"}, {"green": "boat h10", "white": "boat h10"}]
)
def test_fs23_two_pawns_of_any_colours_fill_a_square(others: dict[str, str]) -> None:
    pawns = {**others, "green": f"{others.get('green', '')}, boat i10"}
    pawns.setdefault("white", "")
    assert "h10" not in sail_targets(pawns, "boat i10", 1)


def test_fs23_a_square_with_one_pawn_has_room() -> None:
    assert "h10" in sail_targets({"green": "boat i10", "red": "boat h10"}, "boat i10", 1)


def test_fs23_ports_are_full_with_two_and_bases_never() -> None:
    assert "e4" not in sail_targets({"green": "boat e5", "red": "boat e4", "white": "boat e4"}, "boat e5", 1)
    position = new_position({"green": "9 boat a1"}, dice=(2, 2))
    assert position.pawns("green").count("a1") == 9


def test_fs24_full_squares_are_passed_over() -> None:
    position = new_position({"green": "boat h10", "red": "2 boat h9", "white": ""}, dice=(6, 6), points=2)
    assert "h9" not in sail_targets({"green": "boat h10", "red": "2 boat h9"}, "boat h10", 2)
    position.play("choose_pawn boat h10", "sail h8")
    assert position.state.points == 0


def test_fs24_a_pawn_does_not_stay_on_its_own_square() -> None:
    assert "h10" not in sail_targets({"green": "2 boat h10"}, "boat h10", 4)


def test_fs24_a_way_costs_the_shortest_way_and_land_is_closed() -> None:
    position = new_position({"green": "boat e3"}, dice=(6, 6)).play("choose_pawn boat e3", "sail b3")
    assert position.state.points == 12 - 7


def test_fs24_a_pawn_without_a_target_is_not_offered() -> None:
    around = "2 boat h9, 2 boat g10, 2 boat i10, 2 boat h11"
    position = new_position({"green": "boat h10", "red": around, "white": ""}, dice=(6, 6), points=1)
    assert position.moves_starting("choose_pawn") == []


def test_fs25_no_pawn_ends_on_land() -> None:
    assert not {"c3", "d3", "c4", "d4"} & set(sail_targets({"green": "plane e3"}, "plane e3", 12))


def test_fs26_a_flight_costs_4_to_any_other_coast_square_of_the_island() -> None:
    position = new_position({"green": "plane e3"}, dice=(6, 6)).play("choose_pawn plane e3", "sail b3")
    assert position.state.points == 12 - 4


def test_fs26_a_flight_starts_on_a_coast_square() -> None:
    position = new_position({"green": "plane f3"}, dice=(6, 6)).play("choose_pawn plane f3", "sail b3")
    assert position.state.points == 12 - 5


def test_fs27_flights_and_steps_are_mixed() -> None:
    position = new_position({"green": "plane j3"}, dice=(6, 6)).play("choose_pawn plane j3", "sail b3")
    assert position.state.points == 12 - (4 + 1 + 4)


def test_fs28_flights_go_over_foreign_islands_and_pawns() -> None:
    position = new_position({"green": "plane e3", "red": "2 boat e2, 2 boat e4"}, dice=(4, 0), islands={1: "red"})
    assert "sail b3" in position.play("choose_pawn plane e3").moves()


@pytest.mark.parametrize("kind", ["boat", "battleship"])
def test_fs29_boats_and_battleships_go_round_an_island(kind: str) -> None:
    position = new_position({"green": f"{kind} e3"}, dice=(6, 6)).play(f"choose_pawn {kind} e3", "sail b3")
    assert position.state.points == 12 - 7


def test_fs30_a_flight_needs_its_four_points_at_once() -> None:
    assert "b3" not in sail_targets({"green": "plane e3"}, "plane e3", 3)
    assert "b3" in sail_targets({"green": "plane e3"}, "plane e3", 4)


@pytest.mark.parametrize("square", ["h1", "f6", "f2", "e8"])
@pytest.mark.parametrize("kind", ["boat", "plane", "battleship"])
def test_fs31_any_pawn_may_stop_on_special_squares_and_ports(square: str, kind: str) -> None:
    assert square in sail_targets({"green": f"{kind} g5"}, f"{kind} g5", 12)


def test_three_dice_add_up() -> None:
    position = new_position({"green": "boat a1", "red": "boat o15"}, options=FireshipOptions(movement_dice=3))
    position.play("throw", "die 6", "die skull", "die 4")
    assert (position.state.points, position.state.dice) == (10, [6, 0, 4])


def played_order(position: Position) -> list[str]:
    return [move.split()[0] for move in position.moves()]


def test_lists_come_in_the_order_of_the_moves_table() -> None:
    position = new_position(
        {"green": "2 boat e4, plane f2 arrived, boat d5", "red": "boat e3"},
        dice=(6, 6),
        hands=["boum"],
        islands={1: "green"},
    )
    order = ["play_card", "choose_pawn", "fortify", "attack", "use_square", "end_turn"]
    kinds = played_order(position)
    assert [kind for kind in order if kind in kinds] == order
    assert kinds == sorted(kinds, key=order.index)
