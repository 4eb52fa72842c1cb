"""Fireship: cards and badges played in one's turn, and the Bermuda card (FS-81 to FS-84, FS-90 to FS-94)."""

from __future__ import annotations

import pytest

from tests.engine_core.games.fireship.positions import Position, new_position


def play_empty_turn(position: Position, *moves: str) -> Position:
    """A whole turn without points."""
    return position.play(*moves, "throw", "die skull", "die skull", "end_turn")


def test_fs81_a_gulf_stream_makes_a_boat_or_battleship_fast_for_the_turn() -> None:
    position = new_position({"green": "boat h10, battleship h11, plane j10"}, badges=["gulf_stream"])
    assert position.moves_starting("play_card") == [
        "play_card gulf_stream badge: boat h10",
        "play_card gulf_stream badge: battleship h11",
    ]
    position.play("play_card gulf_stream badge: boat h10", "throw", "die 2", "die skull")
    assert "choose_pawn boat h10 fast" in position.moves()
    position.play("choose_pawn boat h10 fast", "sail h6")
    assert position.state.points == 0


def test_fs82_an_updraft_makes_a_plane_fast() -> None:
    position = new_position({"green": "plane h10, boat h11"}, hands=["updraft"])
    assert position.moves_starting("play_card") == ["play_card updraft hand: plane h10"]


@pytest.mark.parametrize(("target", "cost"), [("e2", 1), ("f3", 1), ("f2", 1), ("b3", 2), ("f5", 2), ("g5", 2)])
def test_fs82_a_fast_pawn_pays_half_its_shortest_way_rounded_up(target: str, cost: int) -> None:
    position = new_position({"green": "plane e3 fast"}, dice=(6, 0)).play("choose_pawn plane e3 fast", f"sail {target}")
    assert position.state.points == 6 - cost


def test_fs82_speed_lasts_for_the_turn() -> None:
    position = new_position({"green": "plane e3 fast", "red": "boat o15"}, dice=(6, 0)).play("end_turn")
    assert position.pawns("green") == "plane e3"


def test_fs82_fs92_cards_of_the_start_of_a_turn_are_not_played_after_the_throw() -> None:
    position = new_position({"green": "plane e3, boat f3"}, hands=["updraft fog"], badges=["gulf_stream"], dice=(6, 6))
    assert position.moves_starting("play_card") == []


def test_fs83_fog_lasts_until_the_start_of_the_owners_next_turn() -> None:
    position = new_position({"green": "boat f3", "red": "boat o15"}, hands=["fog"])
    play_empty_turn(position, "play_card fog hand")
    assert position.state.seats[0].fog
    play_empty_turn(position)
    assert not position.state.seats[0].fog


def test_fs83_in_the_fog_one_may_attack_and_boum_and_kraken_still_work() -> None:
    position = new_position({"green": "boat g1", "red": "boat i1"}, hands=["fog", "boum"])
    play_empty_turn(position, "play_card fog hand", "pass")
    assert "play_card boum hand: green g1" in position.moves()
    position.play("throw", "die 2", "die 2", "choose_pawn boat i1", "sail h1", "use_square h1", "sector 8", "pass")
    assert position.pawns("green") == ""
    attacker = new_position({"green": "battleship e5", "red": "boat o15"}, dice=(6, 6))
    attacker.state.seats[0].fog = True
    assert attacker.moves_starting("attack") != []


def test_fs84_boum_destroys_any_boat_of_the_others_on_the_sea() -> None:
    fleets = {"green": "boat f3", "red": "2 boat h10, plane h11, boat o15, boat j10", "white": "boat e4"}
    position = new_position(fleets, hands=["boum"])
    boums = ["red h10", "red j10", "white e4"]
    assert position.moves_starting("play_card boum") == [f"play_card boum hand: {boat}" for boat in boums]
    position.play("play_card boum hand: red h10")
    assert position.pawns("red").count("boat h10") == 1
    assert position.moves() == ["throw"]


@pytest.mark.parametrize("dice", [(), (2, 2)])
def test_fs84_boum_is_played_before_and_after_the_throw(dice: tuple[int, ...]) -> None:
    position = new_position({"green": "boat f3"}, hands=["boum"], badges=["boum"], dice=dice)
    assert {move.split(":")[0] for move in position.moves_starting("play_card")} == {
        "play_card boum hand",
        "play_card boum badge",
    }


def test_fs84_boum_is_not_played_between_choosing_a_pawn_and_sailing() -> None:
    position = new_position({"green": "boat f3"}, hands=["boum"], dice=(2, 2)).play("choose_pawn boat f3")
    assert all(move.startswith("sail") for move in position.moves())


def test_fs90_a_seat_that_draws_bermuda_skips_the_next_turn() -> None:
    position = new_position({"green": "boat f2 arrived", "red": "boat o15"}, dice=(6, 6))
    position.play("use_square f2", "card bermuda", "end_turn")
    play_empty_turn(position)
    assert position.state.active_seat == 1  # green's turn is skipped
    play_empty_turn(position)
    assert position.state.active_seat == 0


def test_fs90_swallowed_pawns_are_out_of_reach_until_the_skipped_turn_is_over() -> None:
    fleets = {"green": "boat f2 arrived, 2 boat e4", "red": "battleship e5, boat h1", "white": ""}
    position = new_position(fleets, dice=(6, 6), hands=["", "boum"], islands={1: "green"})
    position.play("use_square f2", "card bermuda", "pass", "end_turn")
    assert position.moves_starting("play_card boum") == []
    position.play("throw", "die 6", "die 6")
    assert "attack e5: island 1" in position.moves()
    assert "attack e5: green e4" not in position.moves()
    view = position.copy().play("attack e5: island 1").view(-2)
    assert view.defence_power == 2  # the island's own power


def test_fs90_a_taken_island_leaves_swallowed_pawns_where_they_are() -> None:
    fleets = {"green": "boat f2 arrived, 2 boat e4", "red": "battleship e5", "white": ""}
    position = new_position(fleets, dice=(6, 6), islands={1: "green"})
    position.play(
        "use_square f2", "card bermuda", "end_turn", "throw", "die 2", "die 2", "attack e5: island 1", "die 6"
    )
    assert position.pawns("green") == "boat f2, boat e4, boat e4"
    assert position.pawns("red") == "battleship e5, boat o15"  # their port is full


def test_fs90_the_kraken_does_not_reach_swallowed_pawns() -> None:
    position = new_position({"green": "boat g1", "red": "boat h1 arrived"}, active=1, dice=(6, 6))
    position.state.seats[0].turns_to_skip = 1
    position.play("use_square h1", "sector 8")
    assert (position.pawns("green"), position.pawns("red")) == ("boat g1", "")


def test_fs90_swallowed_pawns_still_fill_their_squares() -> None:
    position = new_position({"green": "2 boat h11", "red": "boat h10"}, active=1, dice=(2, 0))
    position.state.seats[0].turns_to_skip = 1
    assert "sail h11" not in position.play("choose_pawn boat h10").moves()


def test_fs90_a_skipped_turn_begins_and_ends_like_any_other() -> None:
    position = new_position({"green": "boat g1", "red": "boat h10"}, active=1, dice=(2, 0))
    green, red = position.state.seats
    green.turns_to_skip, green.fog, red.passes_turn = 1, True, True
    turns = position.state.turn
    position.play("end_turn")
    assert (position.state.active_seat, position.state.turn, position.state.round) == (1, turns + 2, 2)
    assert (green.fog, red.passes_turn, green.turns_to_skip) == (False, False, 0)


def test_fs91_two_bermudas_are_two_turns_one_after_the_other() -> None:
    position = new_position({"green": "boat g1", "red": "boat h10"}, active=1)
    position.state.seats[0].turns_to_skip = 2
    play_empty_turn(play_empty_turn(position))
    assert position.state.active_seat == 1
    play_empty_turn(position)
    assert position.state.active_seat == 0


def test_fs92_any_number_of_cards_a_turn() -> None:
    position = new_position(
        {"green": "plane e3, boat f3, boat g5"}, hands=["fog updraft boum"], badges=["boum gulf_stream"]
    )
    position.play(
        "play_card fog hand",
        "play_card updraft hand: plane e3",
        "play_card gulf_stream badge: boat g5",
        "play_card boum hand: white e4",
        "play_card boum badge: white h5",
    )
    assert position.moves() == ["throw"]


def test_fs93_fog_in_the_fog_is_not_offered() -> None:
    position = new_position({"green": "boat f3"}, hands=["fog fog"], badges=["fog"]).play("play_card fog hand")
    assert position.moves() == ["throw"]


def test_fs93_a_fast_pawn_is_not_made_fast_again() -> None:
    position = new_position({"green": "plane e3, plane f3"}, hands=["updraft updraft"])
    position.play("play_card updraft hand: plane e3")
    assert position.moves_starting("play_card") == ["play_card updraft hand: plane f3"]


def test_fs94_used_cards_are_discarded_badges_go_to_the_stock() -> None:
    position = new_position({"green": "boat f3"}, hands=["fog boum"], badges=["boum"])
    position.play("play_card fog hand", "play_card boum hand: white e4", "play_card boum badge: white h5")
    assert position.discards() == "boum fog"
    assert (position.badges(0), position.state.badge_stock) == ({}, [6, 6, 6, 6])
