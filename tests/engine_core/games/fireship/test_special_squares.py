"""Fireship: battleship squares, wheels and mystery squares (FS-58 to FS-80)."""

from __future__ import annotations

import pytest

from tests.engine_core.games.fireship.positions import Position, new_position


def at_wheel(pawns: str = "", **rest: object) -> Position:
    """A boat of green has come to the wheel in the north."""
    fleets = {"green": f"boat h1 arrived{pawns and ', ' + pawns}", "red": "boat o15"}
    return new_position(fleets, dice=(6, 6), **rest).play("use_square h1")  # type: ignore[arg-type]


def at_mystery(card: str, pawns: str = "", **rest: object) -> Position:
    """A boat of green has come to a mystery square and draws a card."""
    fleets = {"green": f"boat f2 arrived{pawns and ', ' + pawns}", "red": "boat o15"}
    return new_position(fleets, dice=(6, 6), **rest).play("use_square f2", f"card {card}")  # type: ignore[arg-type]


def at_battleship(pawns: str = "", **rest: object) -> Position:
    """A plane of green has come to a battleship square."""
    fleets = {"green": f"plane f6 arrived{pawns and ', ' + pawns}", "red": "boat o15"}
    return new_position(fleets, dice=(6, 6), **rest).play("use_square f6")  # type: ignore[arg-type]


def test_fs58_a_pawn_must_have_come_in_this_turn() -> None:
    position = new_position({"green": "boat h1, boat g1"}, dice=(6, 6))
    assert position.moves_starting("use_square") == []
    position.play("choose_pawn boat g1", "sail h1")
    assert position.moves_starting("use_square") == ["use_square h1"]


def test_fs58_other_pawns_may_use_the_rest_of_the_points() -> None:
    position = new_position({"green": "boat g1, boat k1", "red": "boat o15"}, dice=(6, 6))
    position.play("choose_pawn boat g1", "sail h1", "choose_pawn boat k1", "sail l1", "use_square h1")
    assert position.purpose() == "wheel"


def test_fs59_one_special_square_a_turn_of_the_players_choice() -> None:
    position = new_position({"green": "boat h1 arrived, boat f2 arrived"}, dice=(6, 6), deck="fog")
    assert position.moves_starting("use_square") == ["use_square h1", "use_square f2"]
    position.play("use_square f2", "card fog")
    assert position.moves_starting("use_square") == []


def test_fs60_a_special_square_need_not_be_used() -> None:
    assert "end_turn" in new_position({"green": "boat h1 arrived"}, dice=(6, 6)).moves()


def test_fs61_a_pawn_that_leaves_and_comes_back_has_come_again() -> None:
    position = new_position({"green": "boat h1", "red": "boat o15"}, dice=(2, 0))
    position.play("choose_pawn boat h1", "sail g1", "choose_pawn boat g1", "sail h1")
    assert position.state.points == 0
    assert "use_square h1" in position.moves()


def test_fs61_a_pawn_that_stays_may_not_use_its_square_in_the_next_turn() -> None:
    position = new_position({"green": "boat h1 arrived", "red": "boat o15"}, dice=(6, 6))
    position.play("end_turn", "throw", "die 2", "die 2", "end_turn", "throw", "die 6", "die 6")
    assert position.pawns("green") == "boat h1"
    assert position.moves_starting("use_square") == []


def test_fs62_passing_over_a_special_square_does_nothing() -> None:
    position = new_position({"green": "boat g1"}, dice=(6, 6)).play("choose_pawn boat g1", "sail i1")
    assert position.moves_starting("use_square") == []
    assert position.pawns("green") == "boat i1"


@pytest.mark.parametrize("kind", ["boat", "battleship"])
def test_fs63_a_battleship_square_is_for_planes(kind: str) -> None:
    position = new_position({"green": f"{kind} f6 arrived"}, dice=(6, 6))
    assert position.moves_starting("use_square") == []
    assert new_position({"green": "plane f6 arrived"}, dice=(6, 6)).moves_starting("use_square") == ["use_square f6"]


def test_fs64_with_two_battleships_on_the_board_there_is_no_throw() -> None:
    position = new_position({"green": "plane f6 arrived, 2 battleship a1"}, dice=(6, 6))
    assert position.moves_starting("use_square") == []


def test_the_battleship_die_costs_the_plane_on_a_skull_and_brings_a_battleship_on_5_and_6() -> None:
    found = {die: at_battleship().play(die).pawns("green") for die in at_battleship().moves()}
    nothing, won = "plane f6 arrived", "battleship a1, plane f6 arrived"
    assert found == {
        "die skull": "",
        "die 2": nothing,
        "die 3": nothing,
        "die 4": nothing,
        "die 5": won,
        "die 6": won,
    }
    assert at_battleship().purpose() == "battleship"


def test_fs65_the_last_plane_is_lost_and_it_is_the_one_that_came() -> None:
    assert at_battleship("plane f6, plane a1").play("die skull").pawns("green") == "plane a1, plane f6"


def test_fs66_a_plane_that_wins_a_battleship_stays() -> None:
    assert "plane f6" in at_battleship().play("die 6").pawns("green")


def test_fs67_gained_pawns_come_to_the_base_and_sail_in_the_next_turn() -> None:
    position = at_mystery("gain_plane")
    assert position.pawns("green") == "plane a1, boat f2 arrived"
    assert position.moves_starting("choose_pawn") == []


@pytest.mark.parametrize("kind", ["boat", "plane", "battleship"])
@pytest.mark.parametrize("square", ["h1", "f2"])
def test_fs68_wheel_and_mystery_are_for_any_pawn(square: str, kind: str) -> None:
    position = new_position({"green": f"{kind} {square} arrived"}, dice=(6, 6))
    assert position.moves_starting("use_square") == [f"use_square {square}"]


def test_fs69_without_reserve_nothing_is_gained() -> None:
    assert at_mystery("gain_boat", "14 boat a1").state.kind_counts[0][0] == 15
    assert at_mystery("gain_plane", "3 plane a1").state.kind_counts[0][1] == 3


def test_fs70_the_owner_chooses_which_boat_is_lost_base_included() -> None:
    position = at_mystery("lose_boat", "2 boat a1, plane c1")
    assert position.moves() == ["lose boat a1", "lose boat f2"]
    assert position.play("lose boat a1").pawns("green") == "boat a1, plane c1, boat f2 arrived"


def test_fs70_the_choice_is_asked_even_if_there_is_only_one() -> None:
    assert at_mystery("lose_boat").moves() == ["lose boat f2"]


def test_fs70_without_boats_nothing_is_lost() -> None:
    position = new_position({"green": "plane f2 arrived"}, dice=(6, 6)).play("use_square f2", "card lose_boat")
    assert position.moves() == ["end_turn"]


@pytest.mark.parametrize(("planes", "is_asked"), [("", False), ("plane a1", False), ("plane a1, plane c1", True)])
def test_fs71_the_only_plane_is_not_lost(planes: str, is_asked: bool) -> None:
    moves = at_mystery("lose_plane", planes).moves()
    assert moves == (["lose plane a1", "lose plane c1"] if is_asked else ["end_turn"])


def test_fs72_spin_again_as_often_as_it_comes_up() -> None:
    position = at_wheel().play("sector 10", "sector 10")
    assert position.purpose() == "wheel"


SECTOR_PAWNS = {1: "boat a1, boat h1 arrived", 5: "plane a1, boat h1 arrived", 7: "boat a1, boat h1 arrived"}


@pytest.mark.parametrize("sector", SECTOR_PAWNS)
def test_sectors_bring_pawns(sector: int) -> None:
    assert at_wheel().play(f"sector {sector}").pawns("green") == SECTOR_PAWNS[sector]


@pytest.mark.parametrize(("sector", "badge"), [(3, "boum"), (6, "fog"), (9, "gulf_stream"), (11, "updraft")])
def test_sectors_bring_badges(sector: int, badge: str) -> None:
    position = at_wheel().play(f"sector {sector}")
    assert position.badges(0) == {badge: 1}
    assert sum(position.state.badge_stock) == 23


def test_a_sector_draws_a_card() -> None:
    position = at_wheel().play("sector 2")
    assert position.purpose() == "cards/0"
    assert position.play("card no").hand(0) == "no"


@pytest.mark.parametrize(("sector", "kind"), [(4, "boat"), (12, "plane")])
def test_sectors_take_pawns(sector: int, kind: str) -> None:
    position = at_wheel("2 plane a1").play(f"sector {sector}")
    assert all(move.startswith(f"lose {kind}") for move in position.moves())


def test_fs73_the_kraken_takes_all_pawns_two_squares_around_but_not_islands() -> None:
    position = new_position(
        {"green": "boat h1 arrived, plane j3, boat a1", "red": "battleship f3, boat k1, boat h5", "white": "boat h5"},
        dice=(6, 6),
        islands={2: "green 2"},
    )
    position.play("use_square h1", "sector 8")
    assert position.pawns("green") == "boat a1"
    assert position.pawns("red") == "boat k1, boat h5"
    assert position.pawns("white") == "boat h5"
    assert position.island(2) == "green 2"


def test_fs73_the_kraken_takes_white_boats_too() -> None:
    position = new_position({"green": "boat h1 arrived, boat a1", "white": "boat h5"}, dice=(6, 6))
    position.state.put_pawn(4, (2 * 15 + 5) * 16)
    position.play("use_square h1", "sector 8")
    assert position.pawns("white") == "boat h5"


def test_fs74_without_a_badge_in_stock_no_badge_is_gained() -> None:
    position = at_wheel(badges=["", "boum boum boum boum boum boum"]).play("sector 3")
    assert position.badges(0) == {}


def test_fs75_with_nothing_to_lose_nothing_happens_and_there_is_no_new_spin() -> None:
    assert at_wheel("plane a1").play("sector 12").moves() == ["end_turn"]


def test_fs76_when_the_deck_is_empty_the_played_cards_become_the_deck() -> None:
    position = new_position({"green": "boat f2 arrived", "red": "boat o15"}, dice=(6, 6), deck="")
    discards = position.discards()
    position.play("use_square f2")
    assert position.purpose() == "cards/1"
    assert sum(position.chances().values()) == len(discards.split()) == 55
    position.play("card gain_boat")
    assert position.discards() == "gain_boat"


def test_fs76_without_any_card_no_card_is_drawn() -> None:
    everything = "no " * 6 + "boum " * 6 + "plus_one " * 7 + "updraft " * 4 + "fog " * 4
    position = new_position(
        {"green": "boat f2 arrived", "red": "boat o15"}, dice=(6, 6), hands=["", everything], deck=""
    )
    position.state.discards = 0
    assert position.play("use_square f2").moves() == ["end_turn"]


def test_fs77_hands_have_no_limit() -> None:
    position = new_position({"green": "boat f2 arrived"}, dice=(6, 6), hands=["no no no no no boum boum boum boum fog"])
    assert len(position.play("use_square f2", "card fog").hand(0).split()) == 11


@pytest.mark.parametrize("card", ["no", "boum", "plus_one", "updraft", "fog"])
def test_fs78_fs79_a_kept_card_goes_to_the_hand_and_only_its_owner_sees_it(card: str) -> None:
    position = new_position({"green": "boat f2 arrived", "red": "boat o15"}, dice=(6, 6)).play("use_square f2")
    assert [position.seen_by(f"card {card}", observer) for observer in (0, 1, -2)] == [
        f"card {card}",
        "card ?",
        "card ?",
    ]
    position.play(f"card {card}")
    assert (position.hand(0), position.discards()) == (card, "")


@pytest.mark.parametrize("card", ["gain_boat", "gain_plane", "lose_boat", "lose_plane", "bermuda"])
def test_fs78_fs79_an_immediate_card_is_seen_by_all_and_discarded(card: str) -> None:
    position = new_position({"green": "boat f2 arrived", "red": "boat o15"}, dice=(6, 6)).play("use_square f2")
    assert [position.seen_by(f"card {card}", observer) for observer in (0, 1, -2)] == [f"card {card}"] * 3
    assert position.play(f"card {card}").discards() == card


def test_fs80_the_anti_skull_card_saves_the_plane_once() -> None:
    position = at_battleship(anti_skull=True).play("die skull")
    assert position.moves() == ["pass", "anti_skull"]
    position.play("anti_skull")
    assert position.pawns("green") == "plane f6 arrived"
    assert not position.state.seats[0].anti_skull


def test_fs80_a_seat_that_passes_keeps_the_card_and_loses_the_plane() -> None:
    position = at_battleship(anti_skull=True).play("die skull", "pass")
    assert position.pawns("green") == ""
    assert position.state.seats[0].anti_skull


def test_fs80_without_the_card_nothing_is_asked() -> None:
    assert at_battleship().play("die skull").moves() == ["end_turn"]


def test_fs80_the_owner_of_a_target_cancels_the_attack_before_the_die() -> None:
    position = new_position({"green": "battleship e5", "red": "boat f5"}, dice=(6, 6), anti_skull=True)
    position.play("attack e5: red f5")
    assert position.seats_to_answer() == (1,)
    assert position.moves() == ["pass", "pass_turn", "anti_skull"]
    position.play("anti_skull")
    assert position.moves() == ["end_turn"]
    assert not position.state.seats[1].anti_skull
    assert position.pawns("red") == "boat f5"


def test_fs80_others_with_an_anti_skull_card_are_not_asked() -> None:
    fleets = {"green": "battleship e5", "blue": "boat o1", "red": "boat f5"}
    position = new_position(fleets, seat_count=3, dice=(6, 6), anti_skull=True).play("attack e5: red f5")
    assert position.seats_to_answer() == (2,)
    position = new_position(fleets, seat_count=3, dice=(6, 6), anti_skull=True).play("attack e5: white e4")
    assert position.seats_to_answer() == ()
