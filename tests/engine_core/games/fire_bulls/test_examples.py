"""Fire Bulls: the worked examples of the rulebook."""

from __future__ import annotations

import pytest

from tests.engine_core.games.fire_bulls.positions import FORTS, new_position

BLUE_WU = "soldier-blue soldier-yellow bo / soldier-red bo bo / wu-blue soldier-green bo"


def test_example_1_a_pawn_swaps_with_the_one_it_moves_onto() -> None:
    position = new_position(["", ""], colours="yellow blue", places=(2, 3))
    position.play("draw", "qi 0 red", "step 3")
    assert position.places() == [3, 2]


def test_example_2_a_pawn_on_the_right_diagonal_moves_to_its_vertical_only() -> None:
    position = new_position(["", ""], colours="brown green", places=(5, 4))
    position.play("draw", "qi 0 red")
    assert position.moves() == ["step 4", "step 5"]
    assert position.play("step 4").places() == [4, 5]


def test_example_3_two_blue_symbols_are_paid_with_blue_bulls_or_warriors() -> None:
    position = new_position(["blue blue red warrior warrior", ""], BLUE_WU, places=(1, 5))
    assert position.moves_starting("attack 1:") == [
        "attack 1: blue blue",
        "attack 1: blue warrior",
        "attack 1: warrior warrior",
    ]


def test_example_4_three_white_symbols_are_paid_with_one_colour() -> None:
    squares = f"soldier-blue bo bo / {FORTS} / xi-white bo bo"
    position = new_position(["green green green yellow yellow red blue warrior", ""], squares, places=(1, 5))
    assert position.moves_starting("attack 1:") == [
        "attack 1: green green green",
        "attack 1: yellow yellow warrior",
        "attack 1: green green warrior",
    ]


def test_example_5_a_pawn_at_direction_1_takes_g_then_e_then_c() -> None:
    squares = "bo bo soldier-green / bo soldier-red bo / soldier-blue bo bo"
    position = new_position(["blue red green", ""], squares, places=(1, 5))
    position.play("attack 1: blue", "capture: red", "capture: green")
    assert position.victory(0) == "soldier-blue soldier-red soldier-green"


@pytest.mark.parametrize(
    ("direction", "first", "second", "victory"),
    [(2, "blue", "red", "soldier-blue soldier-red"), (4, "green", "brown", "soldier-brown soldier-green")],
)
def test_example_6_a_deviated_attack_takes_two_cards_of_a_neighbouring_direction_and_moves_no_pawn(
    direction: int, first: str, second: str, victory: str
) -> None:
    squares = "fortification bo fortification / soldier-red bo soldier-brown / soldier-blue bo soldier-green"
    position = new_position(["blue red green brown yellow", "", ""], squares, places=(3, 2, 4))
    position.play(f"attack {direction}: {first}", f"capture: {second}").play_draws()
    assert position.victory(0) == victory
    assert position.seat() == 1
    assert position.places() == [3, 2, 4]


def test_example_7_a_pawn_at_direction_5_deviates_to_direction_4_only() -> None:
    position = new_position(["blue red green", ""], f"{FORTS} / bo bo bo / {FORTS}", places=(5, 1))
    directions = {move.split(":")[0] for move in position.moves_starting("attack")}
    assert directions == {"attack 4", "attack 5"}


def test_example_8_each_row_slides_and_gets_one_card_after_three_captures_on_a_diagonal() -> None:
    squares = "wu-blue wu-yellow soldier-green / wu-brown soldier-red wu-red / soldier-blue wu-green wu-white"
    position = new_position(["blue red green", ""], squares, places=(1, 5))
    position.play("attack 1: blue", "capture: red", "capture: green", "qi 0 blue", "qi 0 blue")
    position.play("yen 1 xi-white", "yen 2 bo", "yen 3 colonel")
    assert position.rows() == "xi-white bo colonel / wu-blue wu-yellow wu-red / wu-brown wu-green wu-white"
    assert position.seat() == 1


def test_example_9_yellow_loses_the_colonel_and_scores_23() -> None:
    pile = (
        "colonel bo bo wu-blue wu-red fortification fortification soldier-yellow soldier-blue soldier-red soldier-red"
    )
    position = new_position(["", ""], colours="yellow blue", deck="red", exhaustions=2, victories=[pile])
    position.play("draw", "qi 0 red", "step 1")
    assert position.reason() == "exhaustion"
    assert position.points()[0] == 23
    assert position.breakdown(0) == {"cards": 28, "penalty": -8, "colour": 3}
