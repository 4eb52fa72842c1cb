"""Fire Bulls: the default move of a seat whose time is up."""

from __future__ import annotations

import pytest

from tests.engine_core.games.fire_bulls.positions import FORTS, all_qi_except, new_position

SEVEN_REDS = "red red red red red red red"
SQUARES = f"{FORTS} / {FORTS} / soldier-red fortification wu-white"


def test_fb88_the_default_is_to_draw_and_stay() -> None:
    position = new_position(["red", ""], SQUARES, places=(2, 3), reserve="blue")
    assert position.default() == "draw"
    position.play("draw", "qi 0 red")
    assert position.default() == "step 2"


@pytest.mark.parametrize(
    ("reserve", "card"),
    [
        ("warrior green red brown yellow blue", "blue"),
        ("warrior green red brown yellow", "yellow"),
        ("warrior green red brown", "brown"),
        ("warrior green red", "red"),
        ("warrior green", "green"),
        ("warrior", "warrior"),
    ],
)
def test_fb88_without_a_deck_the_default_is_the_first_reserve_card(reserve: str, card: str) -> None:
    position = new_position(["red", all_qi_except(f"red {reserve}")], SQUARES, reserve=reserve, deck="", discards="")
    assert position.default() == f"take {card}"


def test_fb88_a_power_is_declined() -> None:
    position = new_position([SEVEN_REDS, "blue"], general="aside").play(f"general: {SEVEN_REDS}")
    assert position.default() == "power no"


def test_fb88_a_further_capture_is_not_made() -> None:
    position = new_position(["red red red", ""], SQUARES, places=(2, 3)).play("attack 2: red")
    assert position.moves_starting("capture")
    assert position.default() == "stop"


@pytest.mark.parametrize(
    ("victory", "card"),
    [
        ("colonel bo wu-blue", "wu-blue"),
        ("wu-blue fortification", "fortification"),
        ("wu-blue wu-yellow wu-green", "wu-yellow"),
        ("soldier-green wu-yellow soldier-blue", "soldier-green"),
        ("wu-blue bo", "wu-blue"),
        ("xi-blue bo", "xi-blue"),
    ],
)
def test_fb88_the_price_is_of_lowest_value_then_without_the_own_colour_then_first(victory: str, card: str) -> None:
    position = new_position(["warrior", ""], SQUARES, places=(2, 3), victories=[victory], colours="blue yellow")
    position.play("attack 2: warrior", "stop")
    assert position.default() == f"price {card}"


@pytest.mark.parametrize(
    ("hand", "card"),
    [
        ("red red red red blue blue green green green", "blue"),
        ("red red red red blue blue blue blue green", "green"),
        ("red red red red blue green yellow yellow yellow", "blue"),
        ("red red red red red red warrior green green", "green"),
        ("red red red red red red red warrior warrior", "red"),
    ],
)
def test_fb88_the_release_is_of_the_colour_held_least_then_first_and_a_warrior_last(hand: str, card: str) -> None:
    position = new_position([hand.removeprefix("red "), ""], places=(2, 3)).play("draw", "qi 0 red", "step 2")
    assert position.default() == f"release {card}"
