"""Fire Bulls: a seat whose player has left is passed over, and keeps its cards."""

from __future__ import annotations

import pytest

from engine_core.games.fire_bulls import consistency
from engine_core.games.fire_bulls.components import EMPTY
from engine_core.games.fire_bulls.state import FireBullsOptions
from tests.conformance.plain import plain
from tests.engine_core.games.fire_bulls.positions import FORTS, GAME, Position, new_position

SEVEN_REDS = "red red red red red red red"
SQUARES = f"{FORTS} / soldier-red fortification fortification / soldier-red fortification wu-white"


def test_fb87_the_turns_of_a_seat_that_has_left_are_passed_over() -> None:
    position = new_position(["", "", ""], reserve="red").leave(1).play("take red", "qi reserve red")
    assert position.seat() == 2
    position.play("take red", "qi reserve red")
    assert position.seat() == 0


def test_fb87_two_seats_in_a_row_are_passed_over() -> None:
    position = new_position(["", "", "", ""], reserve="red").leave(1).leave(2).play("take red", "qi reserve red")
    assert position.seat() == 3


def test_fb87_pawn_hand_and_victory_pile_of_a_seat_that_left_stay() -> None:
    position = new_position(["", "blue green", ""], places=(1, 4, 5), victories=["", "bo wu-red"]).leave(1)
    assert (position.places()[1], position.hand(1), position.victory(1)) == (4, "blue green", "wu-red bo")


def test_fb87_the_pawn_of_a_seat_that_left_still_swaps() -> None:
    position = new_position(["", "", ""], places=(1, 2, 5)).leave(1).play("draw", "qi 0 red", "step 2")
    assert position.places() == [2, 1, 5]


def test_fb87_powers_still_take_from_the_hand_of_a_seat_that_left() -> None:
    position = (
        new_position([SEVEN_REDS, "blue", ""], general="aside").leave(1).play(f"general: {SEVEN_REDS}", "power yes")
    )
    position.play("pick 1 blue")
    assert (position.hand(0), position.hand(1)) == ("blue", "")


def test_fb87_the_turn_of_a_seat_that_has_left_is_quiet() -> None:
    position = new_position(["", "", ""], deck="", discards="").leave(1).play("take blue")
    assert (position.seat(), position.view(0).quiet_turns) == (2, 2)


def test_fb87_a_quiet_turn_that_was_passed_over_can_end_the_match() -> None:
    position = new_position(["", "", ""], deck="", discards="", exhaustions=2, quiet_turns=7, victories=["bo"])
    position.leave(1).play("take blue")
    assert position.reason() == "exhaustion"
    assert position.breakdown(0)["penalty"] == -6


def test_fb87_a_seat_that_left_ranks_below_every_seat_that_stayed() -> None:
    victories = ["wu-red", "bo bo", "colonel", ""]
    position = new_position(["", "", "", ""], victories=victories, reserve="red").leave(1)
    assert position.ranks() == [2, 4, 1, 3]


def test_fb87_seats_that_have_left_rank_among_themselves() -> None:
    position = new_position(["", "", "", ""], victories=["", "wu-red", "colonel", ""]).leave(1).leave(2)
    assert position.ranks() == [1, 4, 3, 1]


@pytest.mark.parametrize("leaver", [0, 1])
def test_fb87_when_all_but_one_have_left_the_match_ends_without_penalty(leaver: int) -> None:
    position = new_position(["", ""], victories=["bo", "bo"], exhaustions=1, reserve="red").leave(leaver)
    if leaver == 1:
        assert position.reason() == ""
        position.play("take red", "qi reserve blue")
    assert position.reason() == "left"
    assert position.score().winners == [1 - leaver]
    assert (position.points(), position.breakdown(0).get("penalty", 0)) == ([7, 7], 0)


def test_fb87_a_third_exhaustion_in_the_last_turn_is_still_an_exhaustion() -> None:
    position = new_position(["", ""], deck="red", exhaustions=2, victories=["bo"]).leave(1)
    position.play("draw", "qi 0 red", "step 1")
    assert position.reason() == "exhaustion"


@pytest.mark.parametrize(
    ("moves", "hand", "victory"),
    [
        ([], "red red warrior", "wu-blue"),
        (["draw"], "blue red red warrior", "wu-blue"),
        (["take green"], "red red green warrior", "wu-blue"),
        (["draw", "qi 0 blue"], "blue red red warrior", "wu-blue"),
        (["attack 2: red"], "red warrior", "soldier-red wu-blue"),
        (["attack 2: warrior"], "red red", "soldier-red"),
        (["attack 2: warrior", "stop"], "red red", "soldier-red"),
    ],
)
def test_fb87_a_seat_may_leave_in_the_middle_of_its_turn(moves: list[str], hand: str, victory: str) -> None:
    position = new_position(
        ["red red warrior", "", ""], SQUARES, places=(2, 4, 5), victories=["wu-blue"], reserve="green"
    )
    position.play(*moves).leave(0).play_draws()
    assert position.seat() == 1
    assert position.hand(0) == hand
    assert position.victory(0) == victory
    assert "-" not in position.rows().split()
    assert position.places() == [2, 4, 5]


def leave_at_power(card: str, payment: str) -> Position:
    squares = f"{FORTS} / {FORTS} / {card} wu-red wu-red"
    position = new_position([payment, "blue", ""], squares, places=(2, 4, 5)).play(f"attack 2: {payment}")
    assert position.moves() == ["power yes", "power no"]
    return position.leave(0)


@pytest.mark.parametrize(
    ("card", "payment"), [("bo", "blue yellow brown red green"), ("colonel", "red red red red red")]
)
def test_fb87_a_seat_that_leaves_at_a_power_does_not_use_it(card: str, payment: str) -> None:
    position = leave_at_power(card, payment).play_draws()
    assert position.seat() == 1
    assert (position.hand(0), position.hand(1), position.victory(0)) == ("", "blue", card)


def test_fb87_a_pick_that_has_begun_is_finished() -> None:
    position = (
        new_position([SEVEN_REDS, "blue", "green"], general="aside")
        .play(f"general: {SEVEN_REDS}", "power yes")
        .leave(0)
    )
    position.play("pick 1 blue", "pick 2 green")
    assert (position.seat(), position.hand(0)) == (1, "blue green")


def test_fb87_a_seat_that_leaves_over_the_limit_keeps_eight_cards() -> None:
    position = new_position([f"{SEVEN_REDS} blue", "", ""], reserve="green green green").play(
        "take green", "qi reserve green"
    )
    assert position.moves_starting("release")
    position.leave(0)
    assert position.seat() == 1
    assert len(position.hand(0).split()) == 8


def test_fb87_a_seat_may_leave_before_the_first_turn() -> None:
    position = Position(GAME.start(3, FireBullsOptions(first_seat=0))).leave(0).play_draws()
    assert position.seat() == 1
    assert len(position.hand(0).split()) == 3


def test_fb87_the_others_can_play_on_to_the_end() -> None:
    position = new_position(
        ["", "", ""], deck="red", exhaustions=2, reserve="blue", victories=["", "bo", "wu-red"]
    ).leave(1)
    position.play("take blue", "qi reserve red")
    assert position.reason() == "exhaustion"
    assert position.ranks() == [1, 3, 1]


def test_fault20_moves_made_for_a_seat_that_has_left_are_in_the_log() -> None:
    position = new_position(
        ["red red warrior", "", ""], SQUARES, places=(2, 4, 5), victories=["xi-white"], reserve="red"
    )
    position.play("attack 2: warrior").leave(0)
    assert position.absent == ["0: stop", "0: price xi-white"]
    position.play_draws().play("take red", "qi reserve red", "take red", "qi reserve red")
    assert position.absent[2:] == ["0: pass"]
    assert position.seat() == 1


def test_fb87_a_card_over_the_limit_is_released_in_the_log() -> None:
    position = new_position([f"{SEVEN_REDS} blue", "", ""], reserve="green green green").play(
        "take green", "qi reserve green"
    )
    assert position.leave(0).absent == ["0: release blue"]


def test_fb87_a_turn_that_has_not_begun_is_passed_over_in_the_log() -> None:
    position = new_position(["", "", ""], reserve="red").leave(0)
    assert (position.absent, position.view(0).quiet_turns) == (["0: pass"], 1)


def test_fb11_only_seats_that_have_left_pass() -> None:
    assert "pass" not in new_position(["", ""]).moves()


def test_fb87_leaving_itself_changes_only_which_seats_are_present() -> None:
    position = new_position(["red warrior", "", ""], SQUARES, places=(2, 4, 5)).play("attack 2: red")
    before = plain(position.view(1))
    GAME.leave(position.state, 0)
    after = plain(position.view(1))
    assert isinstance(before, dict)
    assert isinstance(after, dict)
    assert {name for name in before if before[name] != after[name]} == {"seats"}
    assert position.moves() == ["stop"]


@pytest.mark.parametrize(
    ("reason", "exhaustions", "general"), [("exhaustion", 2, "hidden"), ("general", 0, "won"), ("left", 0, "hidden")]
)
def test_fb90_after_the_end_no_fact_of_the_last_turn_is_set(reason: str, exhaustions: int, general: str) -> None:
    piles = (0, 0, 1) if reason == "general" else None
    deck = "blue" if reason == "exhaustion" else None
    position = new_position(
        ["red red warrior", ""],
        SQUARES,
        places=(2, 4),
        deck=deck,
        discards="" if deck else None,
        exhaustions=exhaustions,
        general=general,
        victories=["general"] if general == "won" else [],
        piles=piles,
    )
    if reason == "left":
        position.leave(1)
    position.play("attack 2: red", "capture: red", "stop").play_draws()
    assert position.reason() == reason
    view = position.view(0)
    assert (view.active_seat, view.direction, view.captures, view.capture_limit) == (-1, 0, 0, 0)
    assert (view.warriors_owed, view.power_card) == (0, EMPTY)
    assert all(sum(seat.won_this_turn) == 0 for seat in view.seats)
    consistency.check(position.state)
