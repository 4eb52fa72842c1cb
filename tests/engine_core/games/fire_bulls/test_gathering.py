"""Fire Bulls: gathering cards by taking one from the Reserve, or by drawing one and a step."""

from __future__ import annotations

import pytest

from engine_core.game import NATURE
from tests.engine_core.games.fire_bulls.positions import PROFILES, new_position

FULL_HANDS = [
    "blue blue blue blue blue blue blue blue",
    "yellow yellow yellow yellow yellow yellow yellow yellow",
    "brown brown brown brown brown brown brown brown",
    "red red red red red red red red",
    "green green green green green green green green",
]


def test_fb10_one_action_is_compulsory() -> None:
    position = new_position(["", ""], reserve="red red blue")
    assert position.moves() == ["take blue", "take red", "draw"]


def test_fb10_a_turn_has_a_single_action() -> None:
    position = new_position(["blue", ""], reserve="red").play("take red", "qi reserve blue")
    assert position.seat() == 1


def test_fb11_with_all_hands_full_the_reserve_still_holds_a_card() -> None:
    position = new_position(FULL_HANDS, deck="", discards="")
    assert position.moves_starting("take")
    assert "draw" not in position.moves()


def test_fb12_an_empty_reserve_is_not_offered() -> None:
    assert new_position(["", ""], reserve="").moves() == ["draw"]


@pytest.mark.parametrize(
    ("profile", "reserve", "refills"),
    [
        ("merged", "blue red red", 1),
        ("merged", "red", 1),
        ("merged", "blue red red red red", 1),
        ("fr", "blue red red", 1),
        ("fr", "red", 1),
        ("fr", "blue red red red red", 1),
        ("it", "blue red red", 1),
        ("it", "red", 3),
        ("it", "red red", 2),
        ("it", "blue red red red", 0),
        ("it", "blue red red red red", 0),
    ],
)
def test_fb13_taking_refills_the_reserve_as_the_profile_says(profile: str, reserve: str, refills: int) -> None:
    position = new_position(["", ""], profile=profile, reserve=reserve).play("take red")
    position.play(*["qi reserve green"] * refills)
    assert position.seat() == 1
    assert position.hand(0) == "red"
    assert len(position.reserve().split()) == len(reserve.split()) - 1 + refills


@pytest.mark.parametrize("profile", PROFILES)
def test_fb13_a_deck_that_cannot_give_a_card_leaves_the_reserve_shorter(profile: str) -> None:
    position = new_position(FULL_HANDS, profile=profile, deck="", discards="")
    before = len(position.reserve().split())
    position.play("take warrior", "release warrior", "take warrior")
    assert len(position.reserve().split()) == before - 1


def test_fb14_a_long_reserve_is_never_trimmed() -> None:
    position = new_position(["", ""], reserve="red red red red red red red").play("take red", "qi reserve blue")
    assert position.reserve() == "blue red red red red red red"


def test_fb15_the_step_is_asked_after_the_drawn_card_is_in_hand() -> None:
    position = new_position(["", ""], places=(3, 5)).play("draw", "qi 0 red")
    assert position.hand(0) == "red"
    assert position.seat() == 0
    assert position.moves_starting("step") == position.moves()


def test_fb16_there_is_no_step_without_a_draw() -> None:
    position = new_position(["", ""], reserve="red", places=(3, 5))
    assert not position.moves_starting("step")
    position.play("take red", "qi reserve blue")
    assert position.seat() == 1
    assert not position.moves_starting("step")


@pytest.mark.parametrize(
    ("place", "steps"),
    [(1, [1, 2]), (2, [1, 2, 3]), (3, [2, 3, 4]), (4, [3, 4, 5]), (5, [4, 5])],
)
def test_fb17_fb18_a_pawn_goes_one_place_or_stays_and_never_round_the_corner(place: int, steps: list[int]) -> None:
    position = new_position(["", ""], places=(place, 1 if place > 1 else 5)).play("draw", "qi 0 red")
    assert position.moves() == [f"step {to}" for to in steps]


@pytest.mark.parametrize("profile", PROFILES)
def test_fb17_the_step_is_asked_in_every_profile(profile: str) -> None:
    position = new_position(["", ""], profile=profile, places=(3, 5)).play("draw", "qi 0 red")
    assert position.moves() == ["step 2", "step 3", "step 4"]


def test_fb19_the_other_player_is_not_asked_about_the_swap() -> None:
    position = new_position(["", "", ""], places=(2, 5, 3)).play("draw", "qi 0 red", "step 3")
    assert position.places() == [3, 5, 2]
    assert position.seat() == 1


def test_fb20_a_free_place_is_simply_occupied() -> None:
    position = new_position(["", ""], places=(2, 5)).play("draw", "qi 0 red", "step 3")
    assert position.places() == [3, 5]


def test_fb20_staying_changes_no_place() -> None:
    position = new_position(["", ""], places=(2, 3)).play("draw", "qi 0 red", "step 2")
    assert position.places() == [2, 3]


def test_fb21_a_blind_draw_is_offered_while_the_discards_would_rebuild_the_deck() -> None:
    position = new_position(["", ""], deck="", discards="blue red", exhaustions=1).play("draw")
    assert position.seat() == NATURE
    assert position.chances() == {"qi 0 blue": 1, "qi 0 red": 1}


def test_fb21_no_blind_draw_without_deck_and_discards() -> None:
    assert "draw" not in new_position(["", ""], deck="", discards="").moves()


def test_fb89_a_warrior_is_taken_from_the_reserve_like_any_card() -> None:
    position = new_position(["", ""], reserve="warrior warrior").play("take warrior", "qi reserve blue")
    assert (position.hand(0), position.reserve()) == ("warrior", "blue warrior")


def test_a_draw_has_the_chances_of_the_deck() -> None:
    position = new_position(["", ""], deck="blue blue blue red warrior").play("draw")
    assert position.chances() == {"qi 0 blue": 3, "qi 0 red": 1, "qi 0 warrior": 1}
