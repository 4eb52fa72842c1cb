"""Fire Bulls: legal attacks, captures, and bonus cards."""

from __future__ import annotations

import pytest

from engine_core.game import NATURE
from tests.engine_core.games.fire_bulls.positions import FORTS, PROFILES, Position, new_position

ALL_FORTS = f"{FORTS} / {FORTS} / fortification fortification soldier-red"
FIVE_BULLS = "blue yellow brown red green"


def attack_directions(position: Position) -> list[int]:
    return sorted({int(move[7]) for move in position.moves_starting("attack")})


def asked_to_capture(position: Position) -> bool:
    return position.seat() == 0 and "stop" in position.moves()


def test_fb29_an_attack_that_cannot_pay_its_first_card_is_not_offered() -> None:
    squares = f"{FORTS} / {FORTS} / soldier-blue soldier-blue soldier-blue"
    assert not new_position(["red yellow", ""], squares).moves_starting("attack")


@pytest.mark.parametrize("hand", ["red", "red red red"])
def test_fb30_the_player_is_asked_after_each_capture_even_if_only_stop_is_legal(hand: str) -> None:
    squares = f"{FORTS} / soldier-blue bo bo / soldier-red bo bo"
    position = new_position([hand, ""], squares, places=(2, 5)).play("attack 2: red")
    assert position.seat() == 0
    assert position.moves() == ["stop"]


def test_fb30_the_player_is_not_asked_when_the_limit_is_reached() -> None:
    position = new_position(["red red red", ""], ALL_FORTS, places=(2, 5))
    position.play("attack 2: red", "capture: red", "capture: red")
    assert position.seat() == NATURE


def test_fb30_the_player_is_not_asked_when_the_line_has_no_further_card() -> None:
    position = new_position(["red red red", ""], f"- bo bo / - bo bo / {FORTS}", places=(2, 5), piles=(0, 15, 15))
    position.play("attack 2: red")
    assert position.seat() == 1


def test_fb30_moves_come_as_captures_and_then_stop() -> None:
    position = new_position(["red red blue warrior", ""], ALL_FORTS, places=(2, 5)).play("attack 2: red")
    assert position.moves() == ["capture: blue", "capture: red", "capture: warrior", "stop"]


def test_fb31_the_direction_is_fixed_at_the_first_capture() -> None:
    squares = f"{FORTS} / soldier-red soldier-blue soldier-green / fortification bo bo"
    position = new_position(["red red blue green", ""], squares, places=(2, 5)).play("attack 2: red")
    assert position.moves() == ["capture: red", "stop"]


@pytest.mark.parametrize(
    ("squares", "direction", "payments"),
    [
        ("bo - bo / soldier-red bo bo / - bo bo", 2, ["attack 2: red"]),
        ("soldier-red bo bo / - bo bo / - bo bo", 2, ["attack 2: red"]),
        ("- - soldier-blue / bo soldier-red bo / - - bo", 1, ["attack 1: red"]),
        ("- - soldier-blue / bo - bo / - - bo", 1, ["attack 1: blue"]),
        ("- bo bo / - bo bo / - bo bo", 2, []),
    ],
)
def test_fb32_empty_squares_of_a_line_are_skipped(squares: str, direction: int, payments: list[str]) -> None:
    position = new_position(["red blue", ""], squares, places=(direction, 5))
    assert position.moves_starting(f"attack {direction}") == payments


def test_fb32_a_gap_is_skipped_between_two_captures() -> None:
    position = new_position(["red blue", ""], "- - soldier-blue / bo - bo / soldier-red - bo", places=(1, 5))
    position.play("attack 1: red", "capture: blue")
    assert position.victory(0) == "soldier-blue soldier-red"


def test_fb33_no_card_of_a_line_is_jumped_over() -> None:
    squares = f"{FORTS} / soldier-red bo bo / soldier-blue bo bo"
    assert not new_position(["red", ""], squares, places=(2, 5)).moves_starting("attack 2")


@pytest.mark.parametrize(
    ("place", "reachable"), [(1, [1, 2]), (2, [1, 2, 3]), (3, [2, 3, 4]), (4, [3, 4, 5]), (5, [4, 5])]
)
@pytest.mark.parametrize("profile", ["merged", "fr"])
def test_fb34_a_corner_pawn_deviates_to_its_neighbour_only(profile: str, place: int, reachable: list[int]) -> None:
    position = new_position(["red", ""], ALL_FORTS, profile=profile, places=(place, 6 - place if place != 3 else 1))
    assert attack_directions(position) == reachable


@pytest.mark.parametrize("place", [1, 2, 3, 4, 5])
def test_fb34_the_italian_rules_attack_from_any_direction(place: int) -> None:
    position = new_position(["red", ""], ALL_FORTS, profile="it", places=(place, 6 - place if place != 3 else 1))
    assert attack_directions(position) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("profile", "place", "direction", "limit"),
    [
        ("merged", 2, 2, 3),
        ("merged", 3, 2, 2),
        ("fr", 2, 2, 3),
        ("fr", 3, 2, 2),
        ("it", 2, 2, 3),
        ("it", 3, 2, 3),
        ("it", 5, 2, 3),
    ],
)
def test_fb34_a_deviated_attack_takes_two_cards_except_in_the_italian_rules(
    profile: str, place: int, direction: int, limit: int
) -> None:
    position = new_position(["red red red red", ""], ALL_FORTS, profile=profile, places=(place, 1))
    position.play(f"attack {direction}: red")
    for _ in range(limit - 1):
        assert asked_to_capture(position)
        position.play("capture: red")
    assert not position.moves_starting("capture")


@pytest.mark.parametrize("other", [2, 5])
def test_fb35_a_deviated_attack_goes_to_held_and_free_directions_and_moves_no_pawn(other: int) -> None:
    position = new_position(["red", ""], ALL_FORTS, places=(3, other)).play("attack 2: red", "stop").play_draws()
    assert position.places() == [3, other]


def test_fb36_a_deviated_attack_on_a_diagonal_takes_two_cards_too() -> None:
    position = new_position(["red red red", ""], ALL_FORTS, places=(2, 5)).play("attack 1: red", "capture: red")
    assert not position.moves_starting("capture")


def test_fb37_after_an_attack_the_turn_has_no_second_one() -> None:
    position = new_position(["red red red", ""], ALL_FORTS, places=(2, 5)).play("attack 2: red", "stop").play_draws()
    assert position.seat() == 1


def test_fb39_a_card_pays_for_one_point_card_only() -> None:
    squares = f"{FORTS} / soldier-blue bo bo / soldier-blue bo bo"
    position = new_position(["blue", ""], squares, places=(2, 5)).play("attack 2: blue")
    assert position.moves() == ["stop"]
    assert (position.hand(0), position.discards()) == ("", "blue")


@pytest.mark.parametrize("place", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("profile", PROFILES)
def test_fb48_the_general_is_attacked_from_any_direction(profile: str, place: int) -> None:
    hands = ["red red red red red red red", ""]
    position = new_position(hands, general="aside", profile=profile, places=(place, 6 - place if place != 3 else 1))
    assert position.moves_starting("general") == ["general: red red red red red red red"]


def test_fb48_the_general_is_the_whole_attack_and_brings_no_bonus() -> None:
    position = new_position(["red red red red red red red blue", ""], ALL_FORTS, general="aside")
    position.play("general: red red red red red red red")
    assert position.seat() == 1
    assert (position.victory(0), position.hand(0)) == ("general", "blue")


@pytest.mark.parametrize("general", ["hidden", "won"])
def test_fb48_the_general_is_attacked_only_while_it_lies_aside(general: str) -> None:
    position = new_position(["red red red red red red red", ""], general=general)
    assert not position.moves_starting("general")


def test_fb49_the_general_can_be_attacked_from_the_turn_after_it_appears() -> None:
    position = new_position(["red", "green green green green green green green"], ALL_FORTS, places=(2, 5))
    position.play("attack 2: red", "stop", "yen 1 general", "yen 1 bo")
    assert position.moves_starting("general") == ["general: green green green green green green green"]


def test_fb50_a_fortification_blocks_and_must_be_paid() -> None:
    squares = f"{FORTS} / soldier-red bo bo / fortification bo bo"
    position = new_position(["red red", ""], squares, places=(2, 5))
    assert position.moves_starting("attack 2") == ["attack 2: red"]
    position.play("attack 2: red", "capture: red")
    assert position.victory(0) == "soldier-red fortification"


@pytest.mark.parametrize(
    ("profile", "captures", "bonus"),
    [
        ("merged", 1, 0),
        ("merged", 2, 1),
        ("merged", 3, 2),
        ("fr", 1, 0),
        ("fr", 2, 1),
        ("fr", 3, 2),
        ("it", 1, 0),
        ("it", 2, 0),
        ("it", 3, 2),
    ],
)
def test_fb51_the_bonus_depends_on_the_captures_of_this_attack(profile: str, captures: int, bonus: int) -> None:
    position = new_position(["red red red", ""], ALL_FORTS, profile=profile, places=(2, 5), piles=(0, 15, 15))
    position.play("attack 2: red", *["capture: red"] * (captures - 1), *["stop"] * (captures < 3))
    position.play(*["qi 0 green"] * bonus)
    assert position.seat() == 1
    assert position.hand(0) == " ".join(["red"] * (3 - captures) + ["green"] * bonus)


def test_fb51_captures_of_the_turn_before_bring_no_bonus() -> None:
    position = new_position(["red red", "red"], ALL_FORTS, places=(2, 3), piles=(0, 0, 30))
    position.play("attack 2: red", "capture: red", "stop", "qi 0 green", "attack 3: red", "stop")
    assert (position.seat(), position.hand(1)) == (0, "")


def test_fb52_the_bonus_comes_when_the_attack_is_over_and_before_the_end_of_the_turn() -> None:
    position = new_position(["red warrior blue", ""], ALL_FORTS, places=(2, 5), victories=["bo"], piles=(0, 14, 15))
    position.play("attack 2: red", "capture: warrior")
    assert position.moves() == ["capture: blue", "stop"]
    position.play("stop", "qi 0 green")
    assert position.moves() == ["price bo"]


def test_a_list_of_actions_is_take_draw_attack_and_general() -> None:
    position = new_position(
        ["red red red red red red red", ""], ALL_FORTS, places=(2, 5), reserve="warrior red blue", general="aside"
    )
    assert position.moves() == [
        "take blue",
        "take red",
        "take warrior",
        "draw",
        "attack 1: red",
        "attack 2: red",
        "attack 3: red",
        "general: red red red red red red red",
    ]


@pytest.mark.parametrize(("profile", "number"), [("merged", 85), ("fr", 85), ("it", 137)])
def test_the_largest_list_of_actions(profile: str, number: int) -> None:
    squares = f"{FORTS} / {FORTS} / bo bo bo"
    hands = [f"{FIVE_BULLS} warrior warrior warrior", ""]
    position = new_position(hands, squares, profile=profile, places=(3, 5), reserve=f"{FIVE_BULLS} warrior")
    assert len(position.moves()) == len(set(position.moves())) == number


def test_the_largest_list_of_captures() -> None:
    squares = f"{FORTS} / bo bo bo / {FORTS}"
    position = new_position([f"{FIVE_BULLS} warrior warrior warrior", ""], squares, places=(2, 5))
    position.play("attack 2: warrior")
    assert len(position.moves()) == len(set(position.moves())) == 17
