"""Fireship: the end of a match, seats that are out or have left, and ranks (FS-102 to FS-110)."""

from __future__ import annotations

import pytest

from engine_core.game import SPECTATOR
from engine_core.games.fireship import consistency
from engine_core.games.fireship.moves import MARKS
from engine_core.games.fireship.state import FireshipOptions
from engine_core.games.fireship.view import FireshipView
from tests.engine_core.games.fireship.positions import GAME, Table, position

NO_WHITE = {"white": ""}


def turn(table: Table) -> Table:
    """A whole turn without points."""
    return table.play("throw", "die skull", "die skull", "end_turn")


def test_fs102_nine_islands_of_one_colour_win_at_once() -> None:
    islands = dict.fromkeys(range(2, 10), "green 1")
    table = position({"green": "battleship e5", "red": "boat o15", **NO_WHITE}, islands=islands, dice=(6, 6))
    table.play("attack e5: island 1", "die 6")
    assert table.reason() == "all_islands"
    assert table.score().winners == [0]


def test_fs102_eight_islands_do_not() -> None:
    islands = dict.fromkeys(range(3, 10), "green")
    table = position({"green": "battleship e5", "red": "boat o15", **NO_WHITE}, islands=islands, dice=(6, 6))
    assert table.play("attack e5: island 1", "die 6").reason() == ""


def test_fs103_the_match_ends_with_the_last_round() -> None:
    table = position({"green": "boat a1", "red": "boat o15"}, seats=2, round=30)
    turn(table)
    assert table.reason() == ""
    turn(table)
    assert table.reason() == "round_limit"


def test_fs103_a_round_ends_when_the_turn_passes_the_first_players_corner() -> None:
    table = position({"green": "boat a1", "blue": "boat o1", "red": "boat o15"}, seats=3, first=1, active=1)
    rounds = []
    for _ in range(4):
        rounds.append((table.state.active_seat, table.state.round))
        turn(table)
    assert rounds == [(1, 1), (2, 1), (0, 1), (1, 2)]


def test_fs103_the_corner_counts_though_its_player_is_out() -> None:
    table = position({"blue": "boat o1", "red": "boat o15"}, seats=3, first=0, active=2, round=4)
    table.state.seats[0].eliminated_in_turn = 1
    turn(table)
    assert (table.state.active_seat, table.state.round) == (1, 5)


def test_fs103_when_the_time_is_up_the_match_ends_with_the_running_round() -> None:
    table = position({"green": "boat a1", "red": "boat o15"}, round=3).time_up()
    turn(table)
    assert table.reason() == ""
    turn(table)
    assert table.reason() == "time_limit"


def test_fs103_the_reason_is_the_time_in_the_last_round_too() -> None:
    table = position({"green": "boat a1", "red": "boat o15"}, round=30).time_up()
    assert turn(turn(table)).reason() == "time_limit"


def test_fs103_time_up_comes_once_is_public_and_in_no_list() -> None:
    table = position({"green": "boat a1", "red": "boat o15"})
    assert "time_up" not in table.moves(-1) + table.moves(0)
    table.play("throw")
    assert "time_up" not in table.moves(-1)
    assert table.seen_by("time_up", -2) == "time_up"
    table.time_up()
    assert GAME.time_up_move(table.state) is None
    assert all(table.view(observer).time_is_up for observer in (0, 1, -2))


def test_fs103_time_up_changes_nothing_after_the_end() -> None:
    table = position({"green": "boat a1", "red": "boat o15"}, round=30)
    assert GAME.time_up_move(turn(turn(table)).state) is None


def test_fs105_points_are_islands() -> None:
    table = position({"green": "3 boat a1"}, islands={1: "green 3", 2: "red", 3: "red"})
    assert [standing.points for standing in table.score().standings] == [1, 2]
    assert table.ranks() == [2, 1]


def test_fs105_ties_are_decided_by_the_powers_of_the_islands_then_of_the_pawns() -> None:
    islands = {1: "green 1", 2: "red"}
    assert position({"red": "2 battleship o15"}, islands=islands).ranks() == [1, 2]
    even = {1: "green", 2: "red"}
    assert position({"green": "boat a1", "red": "plane o15"}, islands=even).ranks() == [2, 1]


def test_fs105_otherwise_the_victory_is_shared() -> None:
    table = position({"green": "2 boat a1", "red": "plane o15"}, round=30)
    assert turn(turn(table)).score().winners == [0, 1]
    assert table.ranks() == [1, 1]


def test_fs105_the_tie_breaks_are_fields_of_their_own() -> None:
    table = position({"green": "2 boat a1, battleship c1"}, islands={1: "green 2"})
    seat = table.view(-2).seats[0]
    assert (seat.island_power, seat.pawn_power) == (8, 6)
    assert [line.label for line in table.score().standings[0].breakdown] == ["islands"]


def test_fs106_without_pawns_but_with_an_island_a_boat_comes_before_the_throw() -> None:
    table = position({"green": "boat a1"}, islands={9: "red"}, dice=(0, 0)).play("end_turn")
    assert table.pawns("red") == "boat o15"
    table.play("throw", "die 2", "die 2")
    assert table.moves() == ["choose_pawn boat o15", "end_turn"]


def test_fs106_the_boat_comes_before_a_skipped_turn_too() -> None:
    fleets = {"green": "boat a1", "blue": "", "red": "boat o15"}
    table = position(fleets, seats=3, islands={9: "blue"}, dice=(0, 0))
    table.state.seats[1].turns_to_skip = 1
    table.play("end_turn")
    assert table.state.active_seat == 2
    assert table.pawns("blue") == "boat o1"


def test_fs107_without_pawns_and_islands_a_seat_is_out_at_the_end_of_the_turn() -> None:
    fleets = {"green": "battleship e5", "blue": "boat f5", "red": "boat o15", **NO_WHITE}
    table = position(fleets, seats=3, hands=["", "no fog"], badges=["", "boum"], dice=(6, 6))
    table.state.seats[1].anti_skull = True
    table.play("attack e5: blue f5", "pass", "die 6")
    assert table.state.seats[1].eliminated_in_turn == 0
    table.play("end_turn")
    blue = table.state.seats[1]
    assert (blue.eliminated_in_turn, blue.hand, blue.anti_skull) == (1, 0, False)
    assert table.discards() == "no fog"
    assert (table.badges(1), table.state.badge_stock[0]) == ({}, 6)
    assert table.state.active_seat == 2


def test_fs107_who_is_out_skips_no_turn() -> None:
    table = position({"green": "battleship e5", "blue": "boat o1"}, seats=3, islands={1: "red"}, dice=(6, 6))
    table.state.seats[2].turns_to_skip = 1
    table.play("attack e5: island 1", "die 6", "end_turn")
    assert (table.state.seats[2].eliminated_in_turn, table.state.seats[2].turns_to_skip) == (1, 0)


def test_fs107_later_out_ranks_higher_and_in_the_same_turn_equal() -> None:
    table = position({"green": "boat a1"}, seats=4, dice=(0, 0), round=3)
    for seat, out in zip(table.state.seats, (0, 4, 6, 4), strict=True):
        seat.eliminated_in_turn = out
    assert table.ranks() == [1, 3, 2, 3]


def test_fs107_who_remains_while_one_is_out_and_one_is_gone_is_the_last_player() -> None:
    fleets = {"green": "boat a1", "blue": "boat o1", "red": ""}
    table = position(fleets, seats=3, dice=(0, 0)).leave(1).play("end_turn")
    assert table.reason() == "last_player"
    assert (table.ranks(), table.score().winners) == ([1, 3, 2], [0])
    consistency.check(table.state)


def test_fs108_the_last_player_wins() -> None:
    table = position({"green": "boat a1"}, dice=(0, 0)).play("end_turn")
    assert table.reason() == "last_player"
    assert table.score().winners == [0]


def test_fs108_who_goes_out_last_in_the_same_turn_shares_the_victory() -> None:
    fleets = {"green": "boat h1 arrived", "blue": "boat g1", "red": "boat i1"}
    table = position(fleets, seats=3, dice=(0, 0)).play("use_square h1", "sector 8", "end_turn")
    assert table.reason() == "nobody_left"
    assert table.score().winners == [0, 1, 2]


def test_fs109_a_seat_whose_player_left_plays_its_default_moves() -> None:
    table = position({"green": "boat a1", "blue": "boat o1", "red": "boat o15"}, seats=3).leave(1)
    turn(table)
    assert table.purpose() == "throw/1"
    table.play("die 6", "die 6")
    assert table.state.active_seat == 2


def test_fs109_a_turn_that_is_left_in_the_middle_goes_on_by_default() -> None:
    fleets = {"green": "boat h10", "blue": "boat o1", "red": "boat o15"}
    table = position(fleets, seats=3, dice=(6, 6)).play("choose_pawn boat h10").leave(0)
    assert table.pawns("green") == "boat h9"
    assert table.state.active_seat == 1


def test_fault20_every_default_move_of_a_seat_that_has_left_is_a_line_of_the_log() -> None:
    table = position({"green": "boat a1", "blue": "boat o1", "red": "boat o15"}, seats=3).leave(1)
    turn(table)
    assert table.absent == ["1: throw"]
    table.play("die 6", "die 6")
    assert table.absent == ["1: throw", "1: end_turn"]


def test_fs109_who_leaves_in_mid_turn_sails_loses_and_ends_in_the_log() -> None:
    fleets = {"green": "boat h10", "blue": "boat o1", "red": "boat o15"}
    table = position(fleets, seats=3, dice=(6, 6)).play("choose_pawn boat h10").leave(0)
    assert table.absent == ["0: sail h9", "0: end_turn"]
    fleets = {"green": "boat h1 arrived, boat a1", "blue": "boat o1", "red": "boat o15"}
    table = position(fleets, seats=3, dice=(0, 0)).play("use_square h1", "sector 4").leave(0)
    assert table.absent == ["0: lose boat a1", "0: end_turn"]


def test_fs109_who_leaves_at_the_skull_passes_in_the_log() -> None:
    fleets = {"green": "plane f6 arrived, boat a1", "blue": "boat o1", "red": "boat o15"}
    table = position(fleets, seats=3, dice=(6, 6), anti_skull=True).play("use_square f6", "die skull").leave(0)
    assert table.absent == ["0: pass", "0: end_turn"]
    assert table.pawns("green") == "boat a1"


def test_fs109_an_attack_of_who_has_left_is_settled_before_its_turn_is_ended() -> None:
    fleets = {"green": "battleship e5", "blue": "boat o1", "red": "boat o15"}
    table = position(fleets, seats=3, hands=["", "no", ""], dice=(6, 6)).play("attack e5: island 1").leave(0)
    assert (table.seats_to_answer(), table.absent) == ((1,), [])
    table.play("1: pass", "die 6")
    assert table.absent == ["0: end_turn"]
    assert table.island(1) == "green"


def finished(table: Table) -> FireshipView:
    """What everybody sees of a match that is over, whose state could stand in one."""
    assert table.reason()
    consistency.check(table.state)
    return table.view(SPECTATOR)


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
    table = position(fleets, hands=["", ""], islands=islands, dice=(6, 6)).play("attack e5: island 1", "die 6")
    assert table.reason() == "all_islands"
    assert no_turn_is_seen(finished(table))


def test_fault20_after_the_end_by_leaving_no_fact_of_the_last_turn_is_set() -> None:
    fleets = {"green": "battleship e5 fast", "blue": "boat o1", "red": "boat o15"}
    table = position(fleets, seats=3, hands=["", "no", "no"], dice=(6, 6)).play("attack e5: island 1", "1: pass_turn")
    table.leave(0)
    assert not no_turn_is_seen(table.view(SPECTATOR))
    assert table.leave(2).reason() == "left"
    assert no_turn_is_seen(finished(table))


@pytest.mark.parametrize("reason", ["round_limit", "time_limit", "last_player", "nobody_left"])
def test_fault20_after_the_end_of_a_turn_no_fact_of_it_is_set(reason: str) -> None:
    fleets = {"last_player": {"green": "boat a1"}, "nobody_left": {}}.get(
        reason, {"green": "boat a1", "red": "boat b6"}
    )
    options = FireshipOptions(rounds=5)
    table = position(fleets, dice=(6, 0), round=5, active=1, options=options)
    table.state.seats[0].passes_turn = True
    if reason == "time_limit":
        table.time_up()
    assert table.play("end_turn").reason() == reason
    assert no_turn_is_seen(finished(table))


def test_fs109_who_left_never_ranks_above_who_stayed() -> None:
    table = position({"green": "boat a1", "blue": "boat o1"}, seats=3, islands={1: "green", 2: "green"})
    table.state.seats[2].eliminated_in_turn = 1
    table.leave(0)
    assert table.reason() == "left"
    assert table.ranks() == [3, 1, 2]
    assert table.score().winners == [1]


def test_fs109_the_last_who_has_not_left_wins_at_once() -> None:
    table = position({"green": "boat a1", "blue": "boat o1", "red": "boat o15"}, seats=3).leave(2)
    assert table.reason() == ""
    assert table.leave(0).reason() == "left"
    assert table.score().winners == [1]


def test_fs109_who_is_out_does_not_keep_the_match_going() -> None:
    table = position({"green": "boat a1", "red": "boat o15"}, seats=3)
    table.state.seats[1].eliminated_in_turn = 1
    assert table.leave(2).reason() == "left"
    assert table.score().winners == [0]


def test_fs110_who_loses_the_last_pawn_but_has_an_island_is_not_out() -> None:
    fleets = {"green": "boat h1 arrived, boat a1", "red": "boat i1"}
    table = position(fleets, dice=(0, 0), islands={9: "red"}).play("use_square h1", "sector 8", "end_turn")
    assert table.state.seats[1].eliminated_in_turn == 0
    assert table.state.active_seat == 1


def test_fs110_one_s_own_last_pawn_is_tested_at_the_end_of_one_s_turn() -> None:
    table = position({"green": "boat h1 arrived", "red": "boat o15"}, dice=(0, 0)).play("use_square h1", "sector 8")
    assert table.reason() == ""
    assert table.play("end_turn").reason() == "last_player"
    assert table.score().winners == [1]
