"""Fire Bulls: the price of warriors, the hand limit, and the columns at the end of a turn."""

from __future__ import annotations

import pytest

from engine_core.games.fire_bulls.components import POINT_CARD_NAMES
from tests.engine_core.games.fire_bulls.positions import FORTS, PROFILES, Position, new_position

SQUARES = "soldier-red bo bo / soldier-red bo bo / soldier-red soldier-blue soldier-blue"
NINE_REDS = "red red red red red red red red red"


def attacked_with_warriors(number: int, victory: str, hand: str = "") -> Position:
    """Seat 0 has captured `number` cards for a warrior each and owes the price."""
    hands = [" ".join(["warrior"] * number + [hand]), ""]
    position = new_position(hands, SQUARES, places=(2, 5), victories=[victory])
    position.play("attack 2: warrior", *["capture: warrior"] * (number - 1), *["stop"] * (number < 3))
    return position.play(*["qi 0 green"] * (number - 1))


def test_fb59_price_comes_before_the_hand_limit_and_that_before_the_columns() -> None:
    position = attacked_with_warriors(1, "bo wu-red", NINE_REDS)
    assert position.moves() == ["price wu-red", "price bo"]
    position.play("price wu-red")
    assert position.moves() == ["release red"]
    position.play("release red")
    assert position.moves()[0].startswith("yen 1 ")
    position.play("yen 1 bo")
    assert position.seat() == 1


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("profile", PROFILES)
def test_fb60_each_warrior_costs_one_point_card(profile: str, number: int) -> None:
    hands = [" ".join(["warrior"] * number), ""]
    earlier = "xi-white xi-white xi-white xi-white"
    position = new_position(hands, SQUARES, profile=profile, places=(2, 5), victories=[earlier], piles=(0, 20, 20))
    position.play("attack 2: warrior", *["capture: warrior"] * (number - 1), *["stop"] * (number < 3)).play_draws()
    position.play(*["price xi-white"] * number)
    assert position.seat() == 1
    assert position.victory(0).split().count("xi-white") == 4 - number


def test_fb60_a_payment_of_two_warriors_costs_two_cards() -> None:
    squares = "bo bo bo / bo bo fortification / wu-red soldier-blue soldier-blue"
    position = new_position(
        ["warrior warrior", ""], squares, places=(2, 5), victories=["wu-blue wu-blue soldier-green"]
    )
    position.play("attack 2: warrior warrior", "stop", "price wu-blue", "price soldier-green", "yen 1 xi-red")
    assert position.victory(0) == "wu-blue wu-red"


def test_fb60_cards_won_this_turn_are_not_given_and_without_earlier_ones_nothing_is() -> None:
    position = attacked_with_warriors(1, "")
    assert position.moves()[0].startswith("yen 1 ")
    assert position.victory(0) == "soldier-red"


def test_fb60_the_price_is_asked_only_as_long_as_earlier_cards_remain() -> None:
    position = attacked_with_warriors(3, "bo").play("price bo")
    assert position.moves()[0].startswith("yen 1 ")
    assert position.victory(0) == "soldier-red soldier-red soldier-red"


def test_fb60_a_forced_price_is_asked_and_equal_cards_are_listed_once() -> None:
    position = attacked_with_warriors(2, "wu-blue wu-blue")
    assert position.moves() == ["price wu-blue"]
    position.play("price wu-blue")
    assert position.moves() == ["price wu-blue"]


def test_fb60_an_earlier_card_may_be_given_though_an_equal_one_was_won_now() -> None:
    squares = "bo bo bo / bo bo fortification / soldier-red soldier-blue soldier-blue"
    position = new_position(["warrior", ""], squares, places=(2, 5), victories=["soldier-red"])
    position.play("attack 2: warrior", "stop")
    assert position.moves() == ["price soldier-red"]
    assert position.play("price soldier-red").victory(0) == "soldier-red"


def test_fb60_a_fortification_may_be_given() -> None:
    position = attacked_with_warriors(1, "fortification bo")
    assert position.moves() == ["price bo", "price fortification"]


def test_fb61_the_point_card_leaves_the_game_and_the_warrior_lies_in_the_discards() -> None:
    position = attacked_with_warriors(1, "bo").play("price bo")
    assert (position.removed(), position.victory(0), position.discards()) == ("bo", "soldier-red", "warrior")


def test_fb61_a_warrior_in_the_attack_on_the_general_has_its_price_too() -> None:
    hands = ["red red red red red red warrior", ""]
    position = new_position(hands, general="aside", victories=["wu-red"])
    position.play("general: red red red red red red warrior")
    assert position.moves() == ["price wu-red"]


def test_the_largest_list_of_prices() -> None:
    names = [name for name in POINT_CARD_NAMES if name != "bo"]
    squares = "- - - / - - - / fortification - -"
    position = new_position(
        ["warrior", ""], squares, places=(2, 5), victories=[" ".join([*names, "bo"])], general="won"
    )
    position.play("attack 2: warrior")
    assert position.moves() == [f"price {name}" for name in POINT_CARD_NAMES]
    assert len(position.moves()) == 21


def test_fb62_a_hand_over_eight_is_released_to_the_reserve_card_by_card() -> None:
    position = new_position(["red red red red blue blue green green warrior", ""], reserve="brown")
    position.play("take brown", "qi reserve brown")
    assert position.moves() == ["release blue", "release brown", "release red", "release green", "release warrior"]
    position.play("release warrior", "release blue")
    assert position.seat() == 1
    assert position.reserve() == "blue brown warrior"
    assert position.hand(0) == "blue brown red red red red green green"


def test_fb62_eight_cards_are_kept() -> None:
    position = new_position(["red red red red red red red", ""], reserve="brown").play("take brown", "qi reserve brown")
    assert position.seat() == 1


def test_fb62_the_limit_holds_after_a_draw_and_step() -> None:
    position = new_position(["red red red red red red red red", ""]).play("draw", "qi 0 blue", "step 1")
    assert position.moves() == ["release blue", "release red"]


def test_fb62_a_forced_release_is_asked() -> None:
    position = new_position(["red red red red red red red red", ""]).play("draw", "qi 0 red", "step 1")
    assert position.moves() == ["release red"]


def test_fb63_only_the_active_hand_is_tested() -> None:
    position = new_position(["", NINE_REDS], reserve="blue").play("take blue", "qi reserve blue")
    assert position.seat() == 1
    assert not position.moves_starting("release")


def test_fb64_rows_slide_even_if_the_pile_is_empty() -> None:
    squares = "wu-red bo bo / wu-blue bo bo / soldier-red soldier-blue soldier-blue"
    position = new_position(["red", ""], squares, places=(2, 5), piles=(0, 20, 20))
    position.play("attack 2: red", "stop")
    assert position.seat() == 1
    assert position.rows() == "- bo bo / wu-red bo bo / wu-blue soldier-blue soldier-blue"


def test_fb64_a_gap_in_the_middle_closes() -> None:
    squares = "wu-red wu-blue wu-green / - soldier-red bo / - bo soldier-blue"
    position = new_position(["red", ""], squares, places=(1, 5), piles=(0, 20, 20)).play("attack 1: red", "stop")
    assert position.rows() == "- - wu-green / - wu-blue bo / wu-red bo soldier-blue"


def test_fb65_an_empty_row_is_filled_nearest_first() -> None:
    position = new_position(["red red red", ""], SQUARES.replace("bo", "wu-white", 1), places=(2, 5))
    position.play("attack 2: red", "capture: red", "capture: red", "qi 0 blue", "qi 0 blue")
    position.play("yen 1 wu-red", "yen 1 wu-blue", "yen 1 wu-green")
    assert [row.split()[0] for row in position.rows().split(" / ")] == ["wu-green", "wu-blue", "wu-red"]


@pytest.mark.parametrize("pile", [1, 2])
def test_fb65_a_row_is_filled_as_far_as_its_pile_goes(pile: int) -> None:
    position = new_position(["red red red", ""], SQUARES, places=(2, 5), piles=(pile, 19, 20))
    position.play("attack 2: red", "capture: red", "capture: red", "qi 0 blue", "qi 0 blue")
    position.play("yen 1 wu-red", *["yen 1 wu-blue"] * (pile - 1))
    assert position.seat() == 1
    assert [row.split()[0] for row in position.rows().split(" / ")] == ["-", "wu-blue" if pile == 2 else "-", "wu-red"]
    assert list(position.view(0).piles) == [0, 19, 20]


def test_fb66_columns_are_filled_from_left_to_right() -> None:
    squares = "bo bo soldier-red / bo soldier-red bo / soldier-red bo bo"
    position = new_position(["red red red", ""], squares, places=(1, 5))
    position.play("attack 1: red", "capture: red", "capture: red", "qi 0 blue", "qi 0 blue")
    position.play("yen 1 wu-red", "yen 2 wu-blue", "yen 3 wu-green")
    assert position.seat() == 1


def test_fb67_the_general_as_last_card_of_a_pile_is_set_aside_without_replacement() -> None:
    position = new_position(["red red", ""], SQUARES, places=(2, 5), piles=(2, 20, 20))
    position.play("attack 2: red", "capture: red", "stop", "qi 0 blue", "yen 1 wu-blue", "yen 1 general")
    assert position.seat() == 1
    assert [row.split()[0] for row in position.rows().split(" / ")] == ["-", "wu-blue", "soldier-red"]
    assert position.view(0).piles[0] == 0


def test_fb67_the_general_as_the_only_card_leaves_the_square_empty_and_the_other_columns_are_filled() -> None:
    squares = "bo bo soldier-red / bo soldier-red bo / soldier-red bo bo"
    position = new_position(["red red", ""], squares, places=(1, 5), piles=(1, 20, 20))
    position.play("attack 1: red", "capture: red", "stop", "qi 0 blue", "yen 1 general", "yen 2 wu-red")
    assert position.rows() == "- wu-red soldier-red / bo bo bo / bo bo bo"


def test_fb67_a_general_above_the_last_card_is_replaced_by_it() -> None:
    position = new_position(["red", ""], SQUARES, places=(2, 5), piles=(2, 20, 20))
    position.play("attack 2: red", "stop", "yen 1 general", "yen 1 wu-blue")
    assert position.rows().startswith("wu-blue ")
    assert position.view(0).piles[0] == 0


@pytest.mark.parametrize("direction", [2, 3, 4])
def test_fb68_two_free_squares_of_one_column_are_filled_from_its_own_pile(direction: int) -> None:
    squares = "bo bo bo / soldier-red soldier-red soldier-red / soldier-blue soldier-blue soldier-blue"
    position = new_position(["blue red", ""], squares, places=(direction, 1))
    position.play(f"attack {direction}: blue", "capture: red", "stop", "qi 0 green")
    pile = direction - 1
    position.play(f"yen {pile} wu-red", f"yen {pile} wu-blue")
    assert [row.split()[pile - 1] for row in position.rows().split(" / ")] == ["wu-blue", "wu-red", "bo"]


def test_a_point_card_is_drawn_with_the_chances_of_what_is_undrawn_in_all_piles() -> None:
    position = new_position(
        ["red", ""], SQUARES, places=(2, 5), piles=(1, 1, 3), undrawn="wu-red wu-red xi-white bo general"
    )
    position.play("attack 2: red", "stop")
    assert position.chances() == {"yen 1 wu-red": 2, "yen 1 xi-white": 1, "yen 1 bo": 1, "yen 1 general": 1}


def test_gathering_fills_no_row_that_has_a_gap_only_where_its_pile_is_empty() -> None:
    squares = f"- bo bo / {FORTS} / {FORTS}"
    position = new_position(["", ""], squares, piles=(0, 20, 20), reserve="red").play("take red", "qi reserve red")
    assert position.seat() == 1
