"""Fire Bulls: when a match is over, and for which reason."""

from __future__ import annotations

import pytest

from engine_core.game import NATURE
from tests.engine_core.games.fire_bulls.positions import FORTS, PROFILES, Position, new_position

SEVEN_REDS = "red red red red red red red"
SQUARES = "soldier-red bo bo / soldier-red bo bo / soldier-red soldier-blue soldier-blue"


def general_won(piles: tuple[int, int, int]) -> Position:
    position = new_position([SEVEN_REDS, ""], general="aside", piles=piles, victories=["", "wu-red"])
    return position.play(f"general: {SEVEN_REDS}")


@pytest.mark.parametrize("piles", [(0, 0, 10), (0, 10, 0), (10, 0, 0), (0, 0, 0)])
def test_fb69_two_empty_piles_and_the_general_won_end_the_match(piles: tuple[int, int, int]) -> None:
    assert general_won(piles).reason() == "general"


@pytest.mark.parametrize("piles", [(0, 10, 10), (10, 10, 10)])
def test_fb69_one_empty_pile_is_not_enough(piles: tuple[int, int, int]) -> None:
    assert general_won(piles).reason() == ""


@pytest.mark.parametrize("profile", PROFILES)
def test_fb69_a_pile_that_becomes_empty_by_the_filling_of_this_turn_counts(profile: str) -> None:
    position = new_position(
        ["red", "", ""], SQUARES, profile=profile, places=(2, 5, 4), piles=(1, 0, 10), general="won"
    )
    position.play("attack 2: red", "stop")
    assert position.reason() == ""
    position.play("yen 1 wu-red")
    assert position.reason() == "general"


def test_fb70_the_match_stops_at_once_without_equal_turns() -> None:
    position = general_won((0, 0, 10))
    assert position.reason() == "general"
    assert position.score().winners == [0]


def test_fb71_the_general_stays_won_when_it_is_given_for_a_warrior() -> None:
    position = new_position(
        ["warrior", ""], SQUARES, places=(2, 5), piles=(1, 0, 10), general="won", victories=["general bo"]
    )
    position.play("attack 2: warrior", "stop", "price general", "yen 1 wu-red")
    assert position.removed().split().count("general") == 1
    assert position.reason() == "general"


def test_fb72_with_two_piles_empty_and_the_general_still_in_the_third_the_game_goes_on() -> None:
    position = new_position(["red", ""], SQUARES, places=(2, 5), piles=(1, 0, 10))
    position.play("attack 2: red", "stop", "yen 1 wu-red")
    assert list(position.view(0).piles) == [0, 0, 10]
    assert position.seat() == 1


def test_fb72_with_two_piles_empty_and_the_general_aside_the_game_goes_on() -> None:
    position = new_position(["red", ""], SQUARES, places=(2, 5), piles=(1, 0, 10), general="aside")
    position.play("attack 2: red", "stop", "yen 1 wu-red")
    assert position.seat() == 1


def test_fb73_both_ends_in_one_turn_are_an_exhaustion_with_penalty() -> None:
    position = new_position(
        ["red red", ""],
        SQUARES,
        places=(2, 5),
        piles=(1, 0, 10),
        general="won",
        deck="blue",
        exhaustions=2,
        victories=["bo", "wu-red"],
    )
    position.play("attack 2: red", "capture: red", "stop", "qi 0 blue", "yen 1 wu-blue")
    assert position.reason() == "exhaustion"
    assert (position.breakdown(0)["penalty"], position.breakdown(1)["penalty"]) == (-6, -2)


def test_fb73_an_end_by_the_general_has_no_penalty() -> None:
    position = general_won((0, 0, 10))
    assert [position.breakdown(seat).get("penalty", 0) for seat in (0, 1)] == [0, 0]
    assert position.points() == [12, 2]


def test_fb74_with_all_piles_and_rows_empty_play_goes_on_until_the_general_is_won() -> None:
    empty = "- - - / - - - / - - -"
    position = new_position(["", SEVEN_REDS], empty, piles=(0, 0, 0), general="aside", reserve="blue")
    assert position.moves() == ["take blue", "draw"]
    position.play("take blue", "qi reserve green")
    assert position.moves() == ["take green", "draw", f"general: {SEVEN_REDS}"]
    position.play(f"general: {SEVEN_REDS}", "power no")
    assert position.reason() == "general"


def test_fb75_cards_left_in_rows_and_hands_score_nothing() -> None:
    squares = f"bo bo bo / {FORTS} / wu-blue wu-yellow colonel"
    position = new_position([f"{SEVEN_REDS} warrior", "blue"], squares, general="aside", piles=(0, 0, 10))
    position.play(f"general: {SEVEN_REDS}", "power no")
    assert position.points() == [12, 0]


def test_the_third_exhaustion_ends_the_match_at_the_end_of_the_turn_only() -> None:
    position = new_position(["red red", ""], SQUARES, places=(2, 5), deck="blue", exhaustions=2)
    position.play("attack 2: red", "capture: red", "stop", "qi 0 blue")
    assert position.seat() == NATURE
    assert position.play_draws().reason() == "exhaustion"


def test_no_seat_is_to_move_after_the_end() -> None:
    position = general_won((0, 0, 10))
    assert position.reason() == "general"
    with pytest.raises(AssertionError, match="over: general"):
        position.seat()
