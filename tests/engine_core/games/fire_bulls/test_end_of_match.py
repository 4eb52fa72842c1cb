"""Fire Bulls: when a match is over, and for which reason."""

from __future__ import annotations

import pytest

from engine_core.game import NATURE
from tests.engine_core.games.fire_bulls.positions import FORTS, PROFILES, Table, position

SEVEN = "red red red red red red red"
LINE = "soldier-red bo bo / soldier-red bo bo / soldier-red soldier-blue soldier-blue"


def general_won(piles: tuple[int, int, int]) -> Table:
    table = position([SEVEN, ""], general="aside", piles=piles, victories=["", "wu-red"])
    return table.play(f"general: {SEVEN}")


@pytest.mark.parametrize("piles", [(0, 0, 10), (0, 10, 0), (10, 0, 0), (0, 0, 0)])
def test_fb69_two_empty_piles_and_the_general_won_end_the_match(piles: tuple[int, int, int]) -> None:
    assert general_won(piles).reason() == "general"


@pytest.mark.parametrize("piles", [(0, 10, 10), (10, 10, 10)])
def test_fb69_one_empty_pile_is_not_enough(piles: tuple[int, int, int]) -> None:
    assert general_won(piles).reason() == ""


@pytest.mark.parametrize("profile", PROFILES)
def test_fb69_a_pile_that_becomes_empty_by_the_filling_of_this_turn_counts(profile: str) -> None:
    table = position(["red", "", ""], LINE, profile=profile, places=(2, 5, 4), piles=(1, 0, 10), general="won")
    table.play("attack 2: red", "stop")
    assert table.reason() == ""
    table.play("yen 1 wu-red")
    assert table.reason() == "general"


def test_fb70_the_match_stops_at_once_without_equal_turns() -> None:
    table = general_won((0, 0, 10))
    assert table.reason() == "general"
    assert table.score().winners == [0]


def test_fb71_the_general_stays_won_when_it_is_given_for_a_warrior() -> None:
    table = position(["warrior", ""], LINE, places=(2, 5), piles=(1, 0, 10), general="won", victories=["general bo"])
    table.play("attack 2: warrior", "stop", "price general", "yen 1 wu-red")
    assert table.removed().split().count("general") == 1
    assert table.reason() == "general"


def test_fb72_with_two_piles_empty_and_the_general_still_in_the_third_the_game_goes_on() -> None:
    table = position(["red", ""], LINE, places=(2, 5), piles=(1, 0, 10))
    table.play("attack 2: red", "stop", "yen 1 wu-red")
    assert list(table.view(0).piles) == [0, 0, 10]
    assert table.seat() == 1


def test_fb72_with_two_piles_empty_and_the_general_aside_the_game_goes_on() -> None:
    table = position(["red", ""], LINE, places=(2, 5), piles=(1, 0, 10), general="aside")
    table.play("attack 2: red", "stop", "yen 1 wu-red")
    assert table.seat() == 1


def test_fb73_both_ends_in_one_turn_are_an_exhaustion_with_penalty() -> None:
    table = position(
        ["red red", ""],
        LINE,
        places=(2, 5),
        piles=(1, 0, 10),
        general="won",
        deck="blue",
        exhaustions=2,
        victories=["bo", "wu-red"],
    )
    table.play("attack 2: red", "capture: red", "stop", "qi 0 blue", "yen 1 wu-blue")
    assert table.reason() == "exhaustion"
    assert (table.breakdown(0)["penalty"], table.breakdown(1)["penalty"]) == (-6, -2)


def test_fb73_an_end_by_the_general_has_no_penalty() -> None:
    table = general_won((0, 0, 10))
    assert [table.breakdown(seat).get("penalty", 0) for seat in (0, 1)] == [0, 0]
    assert table.points() == [12, 2]


def test_fb74_with_all_piles_and_rows_empty_play_goes_on_until_the_general_is_won() -> None:
    empty = "- - - / - - - / - - -"
    table = position(["", SEVEN], empty, piles=(0, 0, 0), general="aside", reserve="blue")
    assert table.moves() == ["take blue", "draw"]
    table.play("take blue", "qi reserve green")
    assert table.moves() == ["take green", "draw", f"general: {SEVEN}"]
    table.play(f"general: {SEVEN}", "power no")
    assert table.reason() == "general"


def test_fb75_cards_left_in_rows_and_hands_score_nothing() -> None:
    squares = f"bo bo bo / {FORTS} / wu-blue wu-yellow colonel"
    table = position([f"{SEVEN} warrior", "blue"], squares, general="aside", piles=(0, 0, 10))
    table.play(f"general: {SEVEN}", "power no")
    assert table.points() == [12, 0]


def test_the_third_exhaustion_ends_the_match_at_the_end_of_the_turn_only() -> None:
    table = position(["red red", ""], LINE, places=(2, 5), deck="blue", exhaustions=2)
    table.play("attack 2: red", "capture: red", "stop", "qi 0 blue")
    assert table.seat() == NATURE
    assert table.play_draws().reason() == "exhaustion"


def test_nobody_is_to_move_once_the_match_is_over() -> None:
    table = general_won((0, 0, 10))
    assert table.reason() == "general"
    with pytest.raises(AssertionError, match="over: general"):
        table.seat()
