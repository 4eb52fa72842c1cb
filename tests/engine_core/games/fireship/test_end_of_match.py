"""Fireship: the end of a match, seats that are out or have left, and ranks (FS-102 to FS-110)."""

from __future__ import annotations

import pytest

from engine_core.game import SPECTATOR
from engine_core.games.fireship import consistency
from engine_core.games.fireship.moves import MARKS
from engine_core.games.fireship.state import FireshipOptions
from engine_core.games.fireship.view import FireshipView
from tests.engine_core.games.fireship.positions import GAME, Position, new_position

NO_WHITE = {"white": ""}


def play_empty_turn(position: Position) -> Position:
    """A whole turn without points."""
    return position.play("throw", "die skull", "die skull", "end_turn")


def test_fs102_nine_islands_of_one_colour_win_at_once() -> None:
    islands = dict.fromkeys(range(2, 10), "green 1")
    position = new_position({"green": "battleship e5", "red": "boat o15", **NO_WHITE}, islands=islands, dice=(6, 6))
    position.play("attack e5: island 1", "die 6")
    assert position.reason() == "all_islands"
    assert position.score().winners == [0]


def test_fs102_eight_islands_do_not() -> None:
    islands = dict.fromkeys(range(3, 10), "green")
    position = new_position({"green": "battleship e5", "red": "boat o15", **NO_WHITE}, islands=islands, dice=(6, 6))
    assert position.play("attack e5: island 1", "die 6").reason() == ""


def test_fs103_the_match_ends_with_the_last_round() -> None:
    position = new_position({"green": "boat a1", "red": "boat o15"}, seat_count=2, round=30)
    play_empty_turn(position)
    assert position.reason() == ""
    play_empty_turn(position)
    assert position.reason() == "round_limit"


def test_fs103_a_round_ends_when_the_turn_passes_the_first_players_corner() -> None:
    position = new_position({"green": "boat a1", "blue": "boat o1", "red": "boat o15"}, seat_count=3, first=1, active=1)
    rounds = []
    for _ in range(4):
        rounds.append((position.state.active_seat, position.state.round))
        play_empty_turn(position)
    assert rounds == [(1, 1), (2, 1), (0, 1), (1, 2)]


def test_fs103_the_first_players_corner_counts_even_if_its_player_is_out() -> None:
    position = new_position({"blue": "boat o1", "red": "boat o15"}, seat_count=3, first=0, active=2, round=4)
    position.state.seats[0].eliminated_in_turn = 1
    play_empty_turn(position)
    assert (position.state.active_seat, position.state.round) == (1, 5)


def test_fs103_when_the_time_is_up_the_match_ends_with_the_running_round() -> None:
    position = new_position({"green": "boat a1", "red": "boat o15"}, round=3).time_up()
    play_empty_turn(position)
    assert position.reason() == ""
    play_empty_turn(position)
    assert position.reason() == "time_limit"


def test_fs103_the_reason_is_the_time_in_the_last_round_too() -> None:
    position = new_position({"green": "boat a1", "red": "boat o15"}, round=30).time_up()
    assert play_empty_turn(play_empty_turn(position)).reason() == "time_limit"


def test_fs103_time_up_happens_once_is_public_and_is_no_legal_move() -> None:
    position = new_position({"green": "boat a1", "red": "boat o15"})
    assert "time_up" not in position.moves(-1) + position.moves(0)
    position.play("throw")
    assert "time_up" not in position.moves(-1)
    assert position.seen_by("time_up", -2) == "time_up"
    position.time_up()
    assert GAME.time_up_move(position.state) is None
    assert all(position.view(observer).time_is_up for observer in (0, 1, -2))


def test_fs103_time_up_changes_nothing_after_the_end() -> None:
    position = new_position({"green": "boat a1", "red": "boat o15"}, round=30)
    assert GAME.time_up_move(play_empty_turn(play_empty_turn(position)).state) is None


def test_fs105_points_are_islands() -> None:
    position = new_position({"green": "3 boat a1"}, islands={1: "green 3", 2: "red", 3: "red"})
    assert [standing.points for standing in position.score().standings] == [1, 2]
    assert position.ranks() == [2, 1]


def test_fs105_ties_are_decided_by_the_powers_of_the_islands_then_of_the_pawns() -> None:
    islands = {1: "green 1", 2: "red"}
    assert new_position({"red": "2 battleship o15"}, islands=islands).ranks() == [1, 2]
    even = {1: "green", 2: "red"}
    assert new_position({"green": "boat a1", "red": "plane o15"}, islands=even).ranks() == [2, 1]


def test_fs105_otherwise_the_victory_is_shared() -> None:
    position = new_position({"green": "2 boat a1", "red": "plane o15"}, round=30)
    assert play_empty_turn(play_empty_turn(position)).score().winners == [0, 1]
    assert position.ranks() == [1, 1]


def test_fs105_the_tie_breaks_are_fields_of_their_own() -> None:
    position = new_position({"green": "2 boat a1, battleship c1"}, islands={1: "green 2"})
    seat = position.view(-2).seats[0]
    assert (seat.island_power, seat.pawn_power) == (8, 6)
    assert [line.label for line in position.score().standings[0].breakdown] == ["islands"]


def test_fs106_without_pawns_but_with_an_island_a_boat_comes_before_the_throw() -> None:
    position = new_position({"green": "boat a1"}, islands={9: "red"}, dice=(0, 0)).play("end_turn")
    assert position.pawns("red") == "boat o15"
    position.play("throw", "die 2", "die 2")
    assert position.moves() == ["choose_pawn boat o15", "end_turn"]


def test_fs106_the_boat_comes_before_a_skipped_turn_too() -> None:
    fleets = {"green": "boat a1", "blue": "", "red": "boat o15"}
    position = new_position(fleets, seat_count=3, islands={9: "blue"}, dice=(0, 0))
    position.state.seats[1].turns_to_skip = 1
    position.play("end_turn")
    assert position.state.active_seat == 2
    assert position.pawns("blue") == "boat o1"


def test_fs107_without_pawns_and_islands_a_seat_is_out_at_the_end_of_the_turn() -> None:
    fleets = {"green": "battleship e5", "blue": "boat f5", "red": "boat o15", **NO_WHITE}
    position = new_position(fleets, seat_count=3, hands=["", "no fog"], badges=["", "boum"], dice=(6, 6))
    position.state.seats[1].anti_skull = True
    position.play("attack e5: blue f5", "pass", "die 6")
    assert position.state.seats[1].eliminated_in_turn == 0
    position.play("end_turn")
    blue = position.state.seats[1]
    assert (blue.eliminated_in_turn, blue.hand, blue.anti_skull) == (1, 0, False)
    assert position.discards() == "no fog"
    assert (position.badges(1), position.state.badge_stock[0]) == ({}, 6)
    assert position.state.active_seat == 2


def test_fs107_a_seat_that_is_out_skips_no_turn() -> None:
    position = new_position(
        {"green": "battleship e5", "blue": "boat o1"}, seat_count=3, islands={1: "red"}, dice=(6, 6)
    )
    position.state.seats[2].turns_to_skip = 1
    position.play("attack e5: island 1", "die 6", "end_turn")
    assert (position.state.seats[2].eliminated_in_turn, position.state.seats[2].turns_to_skip) == (1, 0)


def test_fs107_later_out_ranks_higher_and_in_the_same_turn_equal() -> None:
    position = new_position({"green": "boat a1"}, seat_count=4, dice=(0, 0), round=3)
    for seat, out in zip(position.state.seats, (0, 4, 6, 4), strict=True):
        seat.eliminated_in_turn = out
    assert position.ranks() == [1, 3, 2, 3]


def test_fs107_the_seat_that_remains_while_one_is_out_and_one_has_left_is_the_last_player() -> None:
    fleets = {"green": "boat a1", "blue": "boat o1", "red": ""}
    position = new_position(fleets, seat_count=3, dice=(0, 0)).leave(1).play("end_turn")
    assert position.reason() == "last_player"
    assert (position.ranks(), position.score().winners) == ([1, 3, 2], [0])
    consistency.check(position.state)


def test_fs108_the_last_player_wins() -> None:
    position = new_position({"green": "boat a1"}, dice=(0, 0)).play("end_turn")
    assert position.reason() == "last_player"
    assert position.score().winners == [0]


def test_fs108_seats_that_go_out_last_in_the_same_turn_share_the_victory() -> None:
    fleets = {"green": "boat h1 arrived", "blue": "boat g1", "red": "boat i1"}
    position = new_position(fleets, seat_count=3, dice=(0, 0)).play("use_square h1", "sector 8", "end_turn")
    assert position.reason() == "nobody_left"
    assert position.score().winners == [0, 1, 2]


def test_fs109_a_seat_whose_player_left_plays_its_default_moves() -> None:
    position = new_position({"green": "boat a1", "blue": "boat o1", "red": "boat o15"}, seat_count=3).leave(1)
    play_empty_turn(position)
    assert position.purpose() == "throw/1"
    position.play("die 6", "die 6")
    assert position.state.active_seat == 2


def test_fs109_a_turn_that_is_left_in_the_middle_goes_on_by_default() -> None:
    fleets = {"green": "boat h10", "blue": "boat o1", "red": "boat o15"}
    position = new_position(fleets, seat_count=3, dice=(6, 6)).play("choose_pawn boat h10").leave(0)
    assert position.pawns("green") == "boat h9"
    assert position.state.active_seat == 1


def test_fault20_every_default_move_of_a_seat_that_has_left_is_a_line_of_the_log() -> None:
    position = new_position({"green": "boat a1", "blue": "boat o1", "red": "boat o15"}, seat_count=3).leave(1)
    play_empty_turn(position)
    assert position.absent == ["1: throw"]
    position.play("die 6", "die 6")
    assert position.absent == ["1: throw", "1: end_turn"]


def test_fs109_default_moves_of_a_seat_that_leaves_in_mid_turn_are_in_the_log() -> None:
    fleets = {"green": "boat h10", "blue": "boat o1", "red": "boat o15"}
    position = new_position(fleets, seat_count=3, dice=(6, 6)).play("choose_pawn boat h10").leave(0)
    assert position.absent == ["0: sail h9", "0: end_turn"]
    fleets = {"green": "boat h1 arrived, boat a1", "blue": "boat o1", "red": "boat o15"}
    position = new_position(fleets, seat_count=3, dice=(0, 0)).play("use_square h1", "sector 4").leave(0)
    assert position.absent == ["0: lose boat a1", "0: end_turn"]


def test_fs109_the_pass_of_a_seat_that_leaves_at_the_skull_is_in_the_log() -> None:
    fleets = {"green": "plane f6 arrived, boat a1", "blue": "boat o1", "red": "boat o15"}
    position = (
        new_position(fleets, seat_count=3, dice=(6, 6), anti_skull=True).play("use_square f6", "die skull").leave(0)
    )
    assert position.absent == ["0: pass", "0: end_turn"]
    assert position.pawns("green") == "boat a1"


def test_fs109_an_attack_of_a_seat_that_has_left_is_resolved_before_its_turn_ends() -> None:
    fleets = {"green": "battleship e5", "blue": "boat o1", "red": "boat o15"}
    position = (
        new_position(fleets, seat_count=3, hands=["", "no", ""], dice=(6, 6)).play("attack e5: island 1").leave(0)
    )
    assert (position.seats_to_answer(), position.absent) == ((1,), [])
    position.play("1: pass", "die 6")
    assert position.absent == ["0: end_turn"]
    assert position.island(1) == "green"


def final_view(position: Position) -> FireshipView:
    """What everybody sees of a match that is over, whose state could stand in one."""
    assert position.reason()
    consistency.check(position.state)
    return position.view(SPECTATOR)


def no_turn_is_seen(view: FireshipView) -> bool:
    marks = [group.pawn % MARKS for group in view.pawns]
    said = [seat.passes_turn or seat.has_answered for seat in view.seats]
    facts = (view.dice, view.points, view.has_acted, view.has_fortified, view.declared, view.seats_to_answer)
    powers = view.attack_power or view.defence_power
    return (
        (view.active_seat, view.chosen_pawn) == (-1, -1)
        and not any(facts)
        and not any(marks)
        and not any(said)
        and not powers
    )


def test_fault20_after_the_end_by_islands_no_fact_of_the_last_turn_is_set() -> None:
    fleets = {"green": "battleship e5 fast, boat h1 arrived", "red": "boat o15", **NO_WHITE}
    islands = dict.fromkeys(range(2, 10), "green")
    position = new_position(fleets, hands=["", ""], islands=islands, dice=(6, 6)).play("attack e5: island 1", "die 6")
    assert position.reason() == "all_islands"
    assert no_turn_is_seen(final_view(position))


def test_fault20_after_the_end_by_leaving_no_fact_of_the_last_turn_is_set() -> None:
    fleets = {"green": "battleship e5 fast", "blue": "boat o1", "red": "boat o15"}
    position = new_position(fleets, seat_count=3, hands=["", "no", "no"], dice=(6, 6)).play(
        "attack e5: island 1", "1: pass_turn"
    )
    position.leave(0)
    assert not no_turn_is_seen(position.view(SPECTATOR))
    assert position.leave(2).reason() == "left"
    assert no_turn_is_seen(final_view(position))


@pytest.mark.parametrize("reason", ["round_limit", "time_limit", "last_player", "nobody_left"])
def test_fault20_after_the_end_of_a_turn_no_fact_of_it_is_set(reason: str) -> None:
    fleets = {"last_player": {"green": "boat a1"}, "nobody_left": {}}.get(
        reason, {"green": "boat a1", "red": "boat b6"}
    )
    options = FireshipOptions(rounds=5)
    position = new_position(fleets, dice=(6, 0), round=5, active=1, options=options)
    position.state.seats[0].passes_turn = True
    if reason == "time_limit":
        position.time_up()
    assert position.play("end_turn").reason() == reason
    assert no_turn_is_seen(final_view(position))


def test_fs109_a_seat_that_left_never_ranks_above_one_that_stayed() -> None:
    position = new_position({"green": "boat a1", "blue": "boat o1"}, seat_count=3, islands={1: "green", 2: "green"})
    position.state.seats[2].eliminated_in_turn = 1
    position.leave(0)
    assert position.reason() == "left"
    assert position.ranks() == [3, 1, 2]
    assert position.score().winners == [1]


def test_fs109_the_last_seat_that_has_not_left_wins_at_once() -> None:
    position = new_position({"green": "boat a1", "blue": "boat o1", "red": "boat o15"}, seat_count=3).leave(2)
    assert position.reason() == ""
    assert position.leave(0).reason() == "left"
    assert position.score().winners == [1]


def test_fs109_a_seat_that_is_out_does_not_keep_the_match_going() -> None:
    position = new_position({"green": "boat a1", "red": "boat o15"}, seat_count=3)
    position.state.seats[1].eliminated_in_turn = 1
    assert position.leave(2).reason() == "left"
    assert position.score().winners == [0]


def test_fs110_a_seat_without_pawns_but_with_an_island_is_not_out() -> None:
    fleets = {"green": "boat h1 arrived, boat a1", "red": "boat i1"}
    position = new_position(fleets, dice=(0, 0), islands={9: "red"}).play("use_square h1", "sector 8", "end_turn")
    assert position.state.seats[1].eliminated_in_turn == 0
    assert position.state.active_seat == 1


def test_fs110_one_s_own_last_pawn_is_tested_at_the_end_of_one_s_turn() -> None:
    position = new_position({"green": "boat h1 arrived", "red": "boat o15"}, dice=(0, 0)).play(
        "use_square h1", "sector 8"
    )
    assert position.reason() == ""
    assert position.play("end_turn").reason() == "last_player"
    assert position.score().winners == [1]
