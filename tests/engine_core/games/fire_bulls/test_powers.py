"""Fire Bulls: the powers of Bo, colonel and general."""

from __future__ import annotations

import pytest

from engine_core.game import NATURE, SPECTATOR
from engine_core.games.fire_bulls.state import NO_SEAT
from tests.engine_core.games.fire_bulls.positions import FORTS, GAME, Position, new_position

FIVE_BULLS = "blue yellow brown red green"
FIVE_REDS = "red red red red red"
SEVEN_REDS = "red red red red red red red"
NEAREST_BO = f"soldier-blue {FORTS[14:]} / soldier-red {FORTS[14:]} / bo {FORTS[14:]}"
NEAREST_COLONEL = f"{FORTS} / {FORTS} / colonel bo bo"


def capture_bo(deck: str | None = None, discards: str | None = None, exhaustions: int = 0) -> Position:
    hands = [f"{FIVE_BULLS} red", "green"]
    position = new_position(hands, NEAREST_BO, places=(2, 5), deck=deck, discards=discards, exhaustions=exhaustions)
    return position.play(f"attack 2: {FIVE_BULLS}")


def capture_colonel(*hands: str) -> Position:
    position = new_position([FIVE_REDS, *hands], NEAREST_COLONEL, places=(2, 5, 4, 3)[: len(hands) + 1])
    return position.play(f"attack 2: {FIVE_REDS}")


def capture_general(*hands: str) -> Position:
    return new_position([SEVEN_REDS, *hands], general="aside").play(f"general: {SEVEN_REDS}")


def test_fb53_a_power_is_asked_right_after_the_capture_and_its_card_may_pay_the_next() -> None:
    position = capture_bo()
    assert position.moves() == ["power yes", "power no"]
    position.play("power yes", "qi 0 blue", "capture: red", "capture: blue")
    assert position.victory(0) == "soldier-blue soldier-red bo"


def test_fb53_a_power_is_used_once() -> None:
    position = capture_bo().play("power yes", "qi 0 blue")
    assert position.moves() == ["capture: red", "stop"]


def test_fb54_a_power_is_optional() -> None:
    position = capture_bo().play("power no")
    assert position.moves() == ["capture: red", "stop"]
    assert position.hand(0) == "red"


def test_fb54_a_bo_is_asked_while_its_own_payment_would_rebuild_the_deck() -> None:
    position = capture_bo(deck="", discards="", exhaustions=1)
    assert position.play("power yes").chances() == {f"qi 0 {colour}": 1 for colour in FIVE_BULLS.split()}


def test_fb54_a_bo_is_not_asked_after_the_third_exhaustion() -> None:
    squares = "bo fortification fortification / bo fortification fortification / bo fortification fortification"
    position = new_position([f"{FIVE_BULLS} {FIVE_BULLS}", ""], squares, places=(2, 5), deck="red", exhaustions=2)
    position.play(f"attack 2: {FIVE_BULLS}", "power yes", "qi 0 red", f"capture: {FIVE_BULLS}")
    assert position.moves() == ["stop"]


def test_fb54_a_colonel_is_not_asked_when_no_opponent_holds_a_card() -> None:
    assert capture_colonel("", "").moves() == ["stop"]


def test_fb54_a_colonel_is_asked_when_one_opponent_holds_a_card() -> None:
    assert capture_colonel("", "blue").moves() == ["power yes", "power no"]


def test_fb54_a_general_is_asked_when_an_opponent_holds_a_card() -> None:
    assert capture_general("", "blue").moves() == ["power yes", "power no"]


def test_fb54_a_general_is_not_asked_when_no_opponent_holds_a_card() -> None:
    assert capture_general("", "").seat() == 1


@pytest.mark.parametrize(
    ("card", "payment"),
    [("soldier-red", "red"), ("wu-red", "red red"), ("xi-white", "red red red"), ("fortification", "red")],
)
def test_fb54_no_other_card_has_a_power(card: str, payment: str) -> None:
    squares = f"bo bo bo / bo bo bo / {card} soldier-red soldier-blue"
    position = new_position(["red red red blue", "green"], squares, places=(2, 5)).play(f"attack 2: {payment}")
    assert "stop" in position.moves()


def test_fb55_the_colonel_discards_one_random_card_of_each_opponent_clockwise() -> None:
    position = capture_colonel("blue blue green", "", "yellow").play("power yes")
    assert position.seat() == NATURE
    assert position.chances() == {"pick 1 blue": 2, "pick 1 green": 1}
    position.play("pick 1 blue")
    assert position.chances() == {"pick 3 yellow": 1}
    position.play("pick 3 yellow")
    assert [position.hand(seat) for seat in range(4)] == ["", "blue green", "", ""]
    assert position.discards() == f"blue yellow {FIVE_REDS}"


def test_fb55_clockwise_starts_after_the_active_seat() -> None:
    position = new_position(["green", FIVE_REDS, "blue"], NEAREST_COLONEL, places=(3, 2, 5), reserve="yellow")
    position.play("take yellow", "qi reserve brown", f"attack 2: {FIVE_REDS}", "power yes", "pick 2 blue")
    assert position.moves() == ["pick 0 yellow", "pick 0 green"]


def test_fb55_a_declined_colonel_takes_nothing() -> None:
    position = capture_colonel("blue").play("power no")
    assert (position.hand(1), position.discards()) == ("blue", FIVE_REDS)


def test_fb56_the_general_takes_one_random_card_of_each_opponent_into_the_own_hand() -> None:
    position = capture_general("blue blue", "", "green").play("power yes")
    assert position.chances() == {"pick 1 blue": 2}
    position.play("pick 1 blue", "pick 3 green")
    assert [position.hand(seat) for seat in range(4)] == ["blue green", "blue", "", ""]
    assert position.seat() == 1


def test_fb56_the_hand_limit_waits_for_the_end_of_the_turn() -> None:
    hands = [f"{SEVEN_REDS} green green green green green green green", "blue", "blue"]
    position = new_position(hands, general="aside")
    position.play(f"general: {SEVEN_REDS}", "power yes", "pick 1 blue", "pick 2 blue")
    assert position.moves() == ["release blue", "release green"]


def test_fb57_a_card_given_as_a_price_uses_no_power_again() -> None:
    position = new_position(
        ["warrior", "green"], f"{FORTS} / {FORTS} / soldier-red bo bo", places=(2, 5), victories=["colonel"]
    )
    position.play("attack 2: warrior", "stop", "price colonel", "yen 1 bo")
    assert position.seat() == 1
    assert position.hand(1) == "green"


def test_fb58_the_draw_of_a_bo_and_the_bonus_are_both_given() -> None:
    position = capture_bo().play("power yes", "qi 0 blue", "capture: red", "stop", "qi 0 green")
    assert position.hand(0) == "blue green"
    assert position.moves()[0].startswith("yen 1")


def test_fb09_everybody_sees_who_won_the_general() -> None:
    state = capture_general("", "").state
    assert [GAME.view(state, observer).general_winner for observer in (SPECTATOR, 0, 2)] == [0, 0, 0]
    assert GAME.view(new_position(["", ""], general="aside").state, SPECTATOR).general_winner == NO_SEAT
