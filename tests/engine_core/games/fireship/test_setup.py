"""Fireship: the setup before the first turn (FS-01 to FS-11)."""

from __future__ import annotations

import pytest

from engine_core.errors import InvalidOption
from engine_core.games.fireship.components import COLOURS
from engine_core.games.fireship.state import FireshipOptions
from tests.engine_core.games.fireship.positions import GAME, Position


def start_position(seat_count: int = 2, options: FireshipOptions | None = None) -> Position:
    return Position(GAME.start(seat_count, options or FireshipOptions()))


def play_dice(position: Position, *throws: int) -> Position:
    for face in throws:
        position.play(f"die {face}" if face else "die skull")
    return position


@pytest.mark.parametrize(("dice", "most"), [(2, 12), (3, 18)])
def test_fs01_a_throw_has_as_many_dice_as_the_option_says(dice: int, most: int) -> None:
    position = play_dice(start_position(options=FireshipOptions(movement_dice=dice)), *[6] * dice, *[2] * dice)
    position.play("throw")
    assert position.purpose() == "throw/0"
    play_dice(position, *[6] * dice)
    assert position.state.points == most


@pytest.mark.parametrize(
    ("seat_count", "colours"), [(2, "green red"), (3, "green blue red"), (4, "green blue red yellow")]
)
def test_fs03_colours_have_a_default_for_each_number_of_seats(seat_count: int, colours: str) -> None:
    assert " ".join([COLOURS[seat.colour] for seat in start_position(seat_count).state.seats]) == colours


@pytest.mark.parametrize("colours", [(3, 0), (2, 3, 0), (1, 2, 3, 0)])
def test_fs03_colours_may_begin_in_any_corner_and_go_clockwise(colours: tuple[int, ...]) -> None:
    state = start_position(len(colours), FireshipOptions(colours=colours)).state
    assert tuple([seat.colour for seat in state.seats]) == colours


@pytest.mark.parametrize("colours", [(0, 0), (0,), (0, 2, 1), (0, 4), (-1, 0)])
def test_fs03_other_colours_are_refused(colours: tuple[int, ...]) -> None:
    with pytest.raises(InvalidOption) as refused:
        GAME.start(max(2, len(colours)), FireshipOptions(colours=colours))
    assert refused.value.field == "options.colours"


def test_fs04_unused_corners_are_closed() -> None:
    position = play_dice(start_position(), 6, 6, 2, 2).play("throw", "die 6", "die 6", "choose_pawn boat a1")
    assert not {"sail n1", "sail o1", "sail a15", "sail b14"} & set(position.moves())
    assert position.pawns("blue") == position.pawns("yellow") == ""


def test_fs05_the_highest_throw_begins_and_turns_go_clockwise() -> None:
    position = play_dice(start_position(4), 2, 2, 3, 3, 6, 6, 0, 5)
    turns = []
    for _ in range(5):
        turns.append(position.state.active_seat)
        play_dice(position.play("throw"), 0, 0).play("end_turn")
    assert turns == [2, 3, 0, 1, 2]


def test_fs06_seats_throw_clockwise_beginning_with_seat_0() -> None:
    position = start_position(3)
    throwers = []
    for _ in range(6):
        throwers.append(position.state.thrower)
        position.play("die 2" if position.state.thrower != 1 else "die 6")
    assert throwers == [0, 0, 1, 1, 2, 2]
    assert position.state.first_seat == 1


def test_fs06_those_tied_for_the_highest_throw_again() -> None:
    position = play_dice(start_position(3), 6, 4, 2, 2, 5, 5)
    assert (position.purpose(), position.state.contest, position.state.thrower) == ("first", 0b101, 0)
    play_dice(position, 3, 3, 4, 2)
    assert (position.state.contest, position.state.thrower) == (0b101, 0)
    play_dice(position, 2, 2, 4, 4)
    assert position.state.first_seat == position.state.active_seat == 2


def test_fs07_the_first_throw_is_not_for_moving() -> None:
    position = play_dice(start_position(), 6, 6, 2, 2)
    assert position.state.points == 0
    assert position.moves() == ["throw"]


def test_fs08_rings_are_on_unless_the_option_says_otherwise() -> None:
    assert FireshipOptions().fortification
    assert not GAME.presets()["plain"].fortification


def test_fs09_each_base_holds_three_boats_and_a_plane() -> None:
    position = start_position()
    assert position.pawns("green") == "boat a1, boat a1, boat a1, plane a1"
    assert position.pawns("red") == "boat o15, boat o15, boat o15, plane o15"


def test_fs10_each_seat_begins_with_an_anti_skull_card() -> None:
    assert all(seat.anti_skull for seat in start_position(4).state.seats)


def test_fs11_a_white_boat_lies_in_each_port() -> None:
    position = start_position()
    assert position.pawns("white").count("boat") == 9
    assert "boat e4" in position.pawns("white")
    assert [position.island(number) for number in range(1, 10)] == ["white"] * 9


@pytest.mark.parametrize("seat_count", [1, 5])
def test_two_to_four_may_play(seat_count: int) -> None:
    with pytest.raises(InvalidOption):
        GAME.start(seat_count, FireshipOptions())


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (FireshipOptions(rounds=4), "options.rounds"),
        (FireshipOptions(rounds=101), "options.rounds"),
        (FireshipOptions(movement_dice=1), "options.movementDice"),
        (FireshipOptions(movement_dice=4), "options.movementDice"),
    ],
)
def test_options_out_of_range_are_refused(options: FireshipOptions, field: str) -> None:
    with pytest.raises(InvalidOption) as refused:
        GAME.start(2, options)
    assert refused.value.field == field


@pytest.mark.parametrize(("seat_count", "rounds"), [(2, 30), (3, 24), (4, 20)])
def test_fs103_rounds_have_a_default_for_each_number_of_seats(seat_count: int, rounds: int) -> None:
    assert start_position(seat_count).state.options.rounds == rounds
