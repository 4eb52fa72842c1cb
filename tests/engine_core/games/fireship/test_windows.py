"""Fireship: response windows (FS-85 to FS-89). Green is seat 0 and attacks, blue seat 1, red seat 2 with island 1."""

from __future__ import annotations

import pytest

from engine_core.games.fireship.state import FireshipOptions
from tests.engine_core.games.fireship.positions import GAME, Position, new_position

FLEETS = {"green": "battleship e5, boat d5, boat h1 arrived, boat f2 arrived", "blue": "boat o1", "red": "boat e4"}


def window_position(*hands: str, fleets: dict[str, str] | None = None, **rest: object) -> Position:
    """Three seats with these hands, green after its throw."""
    return new_position(
        {**FLEETS, "white": "", **(fleets or {})},
        seat_count=3,
        hands=hands,
        islands={1: "red"},
        dice=(6, 6),
        **rest,  # type: ignore[arg-type]
    )


def position_of_attack(*hands: str, **rest: object) -> Position:
    """Green attacks red's island with 5 against 3."""
    return window_position(*hands, **rest).play("attack e5: island 1")  # type: ignore[arg-type]


# FS-85, FS-86: +1


def test_fs85_plus_one_is_one_use_and_changes_the_case() -> None:
    game = position_of_attack("", "", "plus_one plus_one").play("2: plus_one", "2: plus_one")
    assert game.discards().count("plus_one") == 2
    assert game.view(-2).defence_power == 5
    assert game.purpose() == "battle"
    assert game.play("die 4").island(1) == "red"  # equal powers: 4 is not enough


def test_fs85_a_greater_defence_makes_the_attack_fail_without_a_throw() -> None:
    game = position_of_attack("", "", "plus_one plus_one plus_one").play("plus_one", "plus_one", "plus_one")
    assert game.moves() == ["end_turn"]
    assert game.island(1) == "red"


def test_fs85_plus_one_in_the_declaration_counts() -> None:
    game = window_position("plus_one", fleets={"green": "boat e5, boat d5"}).play("attack e5: island 1 +1")
    assert (game.view(-2).attack_power, game.view(-2).defence_power) == (3, 3)
    assert (game.hand(0), game.discards()) == ("", "plus_one")


def test_fs86_the_attackers_plus_ones_are_one_action_with_the_declaration() -> None:
    game = window_position("plus_one plus_one plus_one", "no").play("attack e5: island 1 +2", "1: no")
    assert (game.hand(0), game.discards()) == ("plus_one", "no plus_one plus_one")
    assert game.island(1) == "red"
    game.answer_for_all("pass")
    assert game.moves() == ["end_turn"]


def test_fs86_the_defenders_plus_ones_are_played_one_at_a_time() -> None:
    game = position_of_attack("", "no", "plus_one plus_one").play("1: pass", "2: plus_one")
    assert game.seats_to_answer() == (1,)  # the window on the +1 alone
    game.play("1: no", "2: pass")
    assert game.view(-2).defence_power == 3  # cancelled, and spent
    assert game.seats_to_answer() == (2,)
    game.play("2: plus_one")
    assert game.view(-2).defence_power == 4


# FS-87: what a Non answers


def test_fs87a_a_non_cancels_a_declared_attack() -> None:
    game = position_of_attack("", "no").play("1: no")
    assert game.moves() == ["end_turn"]
    assert game.discards() == "no"


@pytest.mark.parametrize(
    ("hand", "badge", "play"),
    [
        ("fog", "", "play_card fog hand"),
        ("updraft", "", "play_card updraft hand: plane c1"),
        ("", "gulf_stream", "play_card gulf_stream badge: boat d5"),
        ("", "boum", "play_card boum badge: red e4"),
    ],
)
def test_fs87b_a_non_cancels_a_played_card_or_badge_which_is_spent(hand: str, badge: str, play: str) -> None:
    fleets = {"green": "boat d5, plane c1", "red": "boat e4", "white": ""}
    game = new_position(fleets, hands=[hand, "no"], badges=[badge]).play(play, "no")
    assert (game.hand(0), game.badges(0)) == ("", {})
    assert game.pawns("green") == "plane c1, boat d5"
    assert game.pawns("red") == "boat e4"
    assert not game.state.seats[0].fog
    assert game.moves() == ["throw"]


def test_fs87c_a_non_cancels_a_drawn_immediate_card() -> None:
    game = window_position("", "no").play("use_square f2", "card gain_boat", "1: no")
    assert "a1" not in game.pawns("green")
    assert game.discards() == "gain_boat no"


def test_fs87c_a_non_cancels_a_wheel_result() -> None:
    game = window_position("", "no").play("use_square h1", "sector 3", "1: no")
    assert game.badges(0) == {}


def test_fs87d_a_non_cancels_a_ring_which_is_the_ring_of_the_turn_and_costs_no_boats() -> None:
    fleets = {"green": "2 boat e4, boat d5", "red": "boat o15", "white": ""}
    game = new_position(fleets, hands=["", "no"], islands={1: "green"}, dice=(6, 6))
    game.play("fortify 1: e4 e4", "no")
    assert (game.island(1), game.pawns("green")) == ("green", "boat e4, boat e4, boat d5")
    assert game.moves_starting("fortify") == []  # FS-97
    assert game.moves_starting("choose_pawn") != []


def test_fs87e_a_non_cancels_a_battleship_throw_before_the_die() -> None:
    game = new_position({"green": "plane f6 arrived", "red": "boat o15"}, hands=["", "no"], dice=(6, 6))
    game.play("use_square f6", "no")
    assert game.moves() == ["end_turn"]
    assert game.pawns("green") == "plane f6 arrived"


def test_fs87f_a_non_cancels_another_non() -> None:
    game = position_of_attack("no", "no").play("1: no")
    assert game.seats_to_answer() == (0,)
    game.play("0: no")
    assert game.purpose() == "battle"
    assert game.discards() == "no no"


def test_fs87_a_third_non_cancels_the_second() -> None:
    game = position_of_attack("no", "no no").play("1: no", "0: no", "1: no")
    assert game.moves() == ["end_turn"]
    assert game.discards() == "no no no"


def test_fs87_dice_ways_and_the_end_of_a_turn_open_no_window() -> None:
    game = new_position({"green": "boat d5", "red": "boat e4"}, hands=["no", "no"])
    game.play("throw", "die 2", "die 2", "choose_pawn boat d5", "sail d6", "end_turn")
    assert game.state.active_seat == 1


def test_fs87_a_cancelled_attack_is_the_turns_action() -> None:
    game = position_of_attack("", "no").play("1: no")
    assert (
        game.moves_starting("attack") == game.moves_starting("use_square") == game.moves_starting("choose_pawn") == []
    )


# FS-88


def test_fs88_anybody_may_say_non_for_others_and_against_the_own_bad_card() -> None:
    game = window_position("no").play("use_square f2", "card lose_boat")
    assert game.seats_to_answer() == (0,)
    game.play("no")
    assert game.moves() == ["end_turn"]
    assert game.pawns("green").count("boat") == 3


# FS-89: who is asked


def test_fs89_every_other_seat_with_a_secret_card_is_asked_at_once() -> None:
    assert position_of_attack("", "fog", "updraft").seats_to_answer() == (1, 2)
    assert position_of_attack("no", "fog").seats_to_answer() == (1,)
    assert position_of_attack("no", "", "").seats_to_answer() == ()


def test_fs89_the_acting_seat_is_asked_about_its_own_card_or_wheel_result_only() -> None:
    assert window_position("fog", "no").play("use_square f2", "card gain_boat").seats_to_answer() == (0, 1)
    assert window_position("fog", "no").play("use_square h1", "sector 3").seats_to_answer() == (0, 1)
    assert window_position("boum", "no").play("play_card boum hand: red e4").seats_to_answer() == (1,)
    assert window_position("", "no").play("use_square h1", "sector 3").seats_to_answer() == (1,)


def test_fs89_the_target_is_asked_while_it_has_its_anti_skull_card() -> None:
    game = position_of_attack("", "", "", anti_skull=True)
    assert game.seats_to_answer() == (2,)
    assert game.moves() == ["pass", "pass_turn", "anti_skull"]


def test_fs89_which_seats_are_asked_does_not_depend_on_the_card() -> None:
    for card in ("no", "boum", "plus_one", "updraft", "fog"):
        assert position_of_attack("", card, card).seats_to_answer() == (1, 2)


def test_fs89_answers_are_what_the_seat_holds() -> None:
    game = position_of_attack("", "no plus_one", "no plus_one", anti_skull=True)
    assert game.moves(1) == ["pass", "pass_turn", "no"]  # its +1 is not for others
    assert game.moves(2) == ["pass", "pass_turn", "no", "plus_one", "anti_skull"]
    assert game.moves(0) == []


def test_fs89_there_is_no_window_on_spin_again_and_draw_card() -> None:
    assert window_position("", "no").play("use_square h1", "sector 10").purpose() == "wheel"
    assert window_position("", "no").play("use_square h1", "sector 2").purpose() == "cards/0"


def test_fs89_kept_cards_open_no_window() -> None:
    assert window_position("", "no").play("use_square f2", "card fog").seats_to_answer() == ()


# FS-89: which card counts


def test_fs89_the_first_non_clockwise_from_the_acting_seat_counts_and_the_others_go_back() -> None:
    game = position_of_attack("", "no", "no").play("2: no", "1: no")
    assert (game.hand(1), game.hand(2)) == ("", "no")


def test_fs89_clockwise_begins_after_the_acting_seat() -> None:
    fleets = {"green": "boat a1", "blue": "battleship e5"}
    game = new_position(
        {**fleets, "red": "boat e4", "white": ""},
        seat_count=3,
        hands=["no", "", "no"],
        islands={1: "red"},
        dice=(6, 6),
        active=1,
    )
    game.play("attack e5: island 1", "0: no", "2: no")
    assert (game.hand(0), game.hand(2)) == ("no", "")


def test_fs89_against_a_non_clockwise_begins_after_the_seat_that_said_it() -> None:
    game = position_of_attack("no", "no", "no").play("1: pass", "2: no", "0: no", "1: no")
    assert (game.hand(0), game.hand(1)) == ("", "no")


def test_fs89_a_non_goes_before_the_targets_card() -> None:
    game = position_of_attack("", "no", "plus_one").play("2: plus_one", "1: no")
    assert (game.hand(1), game.hand(2)) == ("", "plus_one")


def test_fs89_without_a_non_the_targets_card_counts() -> None:
    game = position_of_attack("", "no", "plus_one").play("2: plus_one", "1: pass")
    assert (game.hand(1), game.hand(2)) == ("no", "")


def test_fs89_all_are_asked_again_until_a_round_brings_no_card() -> None:
    game = position_of_attack("no", "no", "plus_one plus_one").play("1: pass", "2: plus_one")
    assert game.seats_to_answer() == (0, 1)  # about the +1
    game.play("0: pass", "1: pass")
    assert game.seats_to_answer() == (1, 2)  # about the attack again, blue too
    game.play("1: pass", "2: pass")
    assert game.purpose() == "battle"


def test_fs89_a_cancelled_non_leaves_the_action_and_all_are_asked_again() -> None:
    game = position_of_attack("no", "no", "no").play("1: no", "2: pass")
    assert game.seats_to_answer() == (0, 2)
    game.play("0: no", "2: pass")
    assert game.seats_to_answer() == (2,)  # blue and green hold nothing any more; red about the second Non
    game.play("2: pass")
    assert game.seats_to_answer() == (2,)  # about the attack
    game.play("2: no")
    assert game.moves() == ["end_turn"]


def test_fs89_a_cancelled_anti_skull_card_is_spent_and_the_attack_goes_on() -> None:
    game = position_of_attack("no", anti_skull=True).play("2: anti_skull")
    assert game.seats_to_answer() == (0,)
    game.play("0: no")
    assert game.purpose() == "battle"
    assert not game.state.seats[2].anti_skull


def test_fs89_an_anti_skull_card_against_the_skull_opens_a_window() -> None:
    fleets = {"green": "plane f6 arrived", "red": "boat o15"}
    game = new_position(fleets, hands=["", "no"], dice=(6, 6), anti_skull=True)
    game.play("use_square f6", "pass", "die skull", "anti_skull")
    assert game.seats_to_answer() == (1,)
    saved = game.copy().play("pass")
    assert (saved.pawns("green"), saved.moves()) == ("plane f6 arrived", ["end_turn"])
    lost = game.copy().play("no")
    assert (lost.pawns("green"), lost.moves()) == ("", ["end_turn"])


# FS-89: pass_turn


def test_fs89_pass_turn_is_not_asked_again_before_the_next_turn() -> None:
    game = window_position("boum boum", "no", "no").play("play_card boum hand: red e4", "1: pass_turn", "2: pass")
    game.state.put_pawn(2, 49 * 16)
    game.play("play_card boum hand: red e4")
    assert game.seats_to_answer() == (2,)
    game.play("pass", "end_turn")
    assert not game.state.seats[1].passes_turn


def test_fs89_pass_turn_is_asked_about_an_attack_on_its_own_but_not_in_the_windows_within() -> None:
    game = window_position("boum no", "no", "no plus_one", fleets={"red": "boat e4, boat k5"})
    game.play("play_card boum hand: red k5", "1: pass", "2: pass_turn")
    game.play("attack e5: island 1")
    assert game.seats_to_answer() == (1, 2)
    game.play("1: no", "2: pass")
    assert game.seats_to_answer() == (0,)  # red is silent in the window on the Non
    game.play("0: no")
    assert game.seats_to_answer() == (2,)


def test_fs89_only_the_card_that_counts_and_pass_turn_are_revealed() -> None:
    game = position_of_attack("", "no", "no").play("1: pass_turn")
    assert game.reveals("2: no") == ["1: pass_turn", "2: no"]
    assert position_of_attack("", "no", "no").play("1: no").reveals("2: no") == ["1: no"]
    assert position_of_attack("", "no", "no").play("1: pass").reveals("2: pass") == []
    assert position_of_attack("", "no", "no").reveals("1: no") == []  # the round is not complete


def test_fs89_an_answer_is_sealed() -> None:
    game = position_of_attack("", "no", "no")
    for text in game.moves(1):
        assert [game.seen_by(f"1: {text}", observer) for observer in (1, 0, 2, -2)] == [text, *["answer ?"] * 3]
    game.play("1: no")
    assert game.view(1).seats[1].answer == 3
    assert [game.view(observer).seats[1].answer for observer in (0, 2, -2)] == [0, 0, 0]
    assert all(game.view(observer).seats[1].has_answered for observer in (0, 1, 2, -2))


def test_fs89_the_answers_may_come_in_any_order() -> None:
    one = position_of_attack("", "no", "no plus_one").play("1: pass_turn", "2: plus_one")
    other = position_of_attack("", "no", "no plus_one").play("2: plus_one", "1: pass_turn")
    assert one.view(0).defence_power == other.view(0).defence_power
    assert one.moves() == other.moves()


def test_fs80_the_answer_to_the_skull_is_public() -> None:
    game = new_position({"green": "plane f6 arrived", "red": "boat o15"}, dice=(6, 6), anti_skull=True)
    game.play("use_square f6", "die skull")
    assert game.seen_by("anti_skull", 1) == "anti_skull"


def test_fs90_a_swallowed_seat_is_asked_as_usual() -> None:
    game = window_position("", "no", "no")
    game.state.seats[1].turns_to_skip = 1
    assert game.play("attack e5: island 1").seats_to_answer() == (1, 2)


# FS-109


def test_fs109_a_seat_that_leaves_is_no_longer_asked_for_an_answer() -> None:
    game = position_of_attack("", "no", "no").leave(1)
    assert game.seats_to_answer() == (2,)
    game.play("2: pass")
    assert game.purpose() == "battle"


def test_fs109_a_sealed_answer_stands_when_its_player_leaves() -> None:
    game = position_of_attack("", "no", "no").play("1: no").leave(1).answer_for_all("2: pass")
    assert game.moves() == ["end_turn"]
    assert game.hand(1) == ""


def test_fs109_leaving_may_complete_a_round_and_reveal_it() -> None:
    game = position_of_attack("", "no", "no").play("2: no")
    assert [(reveal.seat, GAME.notation(reveal.move)) for reveal in GAME.reveals_by_leaving(game.state, 1)] == [
        (2, "no")
    ]
    assert game.leave(1).moves() == ["end_turn"]


def test_a_window_of_two_seats_in_plain_mode() -> None:
    game = new_position(
        {"green": "battleship e5", "red": "boat e4", "white": ""},
        hands=["", "no"],
        islands={1: "red"},
        dice=(6, 6, 6),
        options=FireshipOptions(fortification=False, movement_dice=3),
    )
    assert game.play("attack e5: island 1", "no").moves() == ["end_turn"]
