"""Fire Bulls: the setup before the first turn."""

from __future__ import annotations

import pytest

from engine_core.errors import InvalidOption
from engine_core.games.fire_bulls.components import POINT_CARD_NAMES, POINT_COUNTS
from engine_core.games.fire_bulls.state import FireBullsOptions
from tests.engine_core.games.fire_bulls.positions import GAME, Position

COLUMNS = [f"yen {pile} soldier-{colour}" for pile in (1, 2, 3) for colour in ("blue", "yellow", "brown")]
PAWN_PLACEMENTS = ["place 0 4", "place 1 2"]
HANDS = ["qi 0 red", "qi 0 red", "qi 0 blue", "qi 1 green", "qi 1 green", "qi 1 warrior"]
RESERVE = ["qi reserve brown", "qi reserve yellow", "qi reserve warrior"]


def start_position(seat_count: int = 2, options: FireBullsOptions | None = None) -> Position:
    return Position(GAME.start(seat_count, options or FireBullsOptions()))


def draw_until(word: str, position: Position) -> Position:
    """Nature's first outcomes, until one of that word comes."""
    while not position.moves()[0].startswith(word):
        position.play(position.moves()[0])
    return position


@pytest.mark.parametrize("seat_count", [2, 3, 4, 5])
def test_fb01_seats_take_the_colours_in_order(seat_count: int) -> None:
    position = start_position(seat_count)
    assert [seat.colour for seat in position.view(0).seats] == list(range(seat_count))


def test_fb01_an_option_gives_the_colours() -> None:
    position = start_position(3, FireBullsOptions(colours=(4, 0, 2)))
    assert [seat.colour for seat in position.view(0).seats] == [4, 0, 2]


@pytest.mark.parametrize("colours", [(1, 1), (0,), (0, 1, 2), (0, 5), (-1, 0)])
def test_fb01_colours_that_are_not_one_different_colour_a_seat_are_refused(colours: tuple[int, ...]) -> None:
    with pytest.raises(InvalidOption) as refusal:
        start_position(2, FireBullsOptions(colours=colours))
    assert refusal.value.field == "options.colours"


@pytest.mark.parametrize("seat_count", [0, 1, 6])
def test_one_or_six_seats_are_refused(seat_count: int) -> None:
    with pytest.raises(InvalidOption):
        start_position(seat_count)


def test_an_unknown_profile_is_refused() -> None:
    with pytest.raises(InvalidOption):
        start_position(2, FireBullsOptions(profile="de"))


def test_fb03_places_are_drawn_with_equal_chances() -> None:
    position = draw_until("place", start_position(2))
    assert position.chances() == {f"place 0 {direction}": 1 for direction in (1, 2, 3, 4, 5)}


def test_fb04_two_pawns_are_never_on_one_direction() -> None:
    position = draw_until("place", start_position(5)).play("place 0 3", "place 1 1")
    assert position.moves() == ["place 2 2", "place 2 4", "place 2 5"]


@pytest.mark.parametrize("seat_count", [2, 3, 4, 5])
def test_fb05_each_pile_has_18_cards(seat_count: int) -> None:
    assert list(start_position(seat_count).view(0).piles) == [18, 18, 18]


def test_fb06_the_general_is_set_aside_in_setup_and_the_next_card_of_the_pile_takes_its_place() -> None:
    position = start_position().play("yen 1 bo", "yen 1 general")
    assert set(position.moves()) == {f"yen 1 {name}" for name in POINT_CARD_NAMES if name != "general"}
    position.play("yen 1 wu-red", "yen 1 wu-blue", "yen 2 bo")
    assert position.rows() == "wu-blue - - / wu-red - - / bo bo -"
    assert list(position.view(0).piles) == [14, 17, 18]


def test_fb86_the_first_point_card_is_drawn_from_all_54() -> None:
    assert list(start_position().chances().values()) == POINT_COUNTS


def test_fb86_fb07_setup_draws_columns_places_hands_reserve_and_first_seat_in_this_order() -> None:
    position = start_position().play(*COLUMNS, *PAWN_PLACEMENTS, *HANDS, *RESERVE)
    assert position.moves() == ["first 0", "first 1"]
    position.play("first 1")
    assert position.seat() == 1
    assert position.rows() == " / ".join(
        [" ".join([f"soldier-{colour}"] * 3) for colour in ("brown", "yellow", "blue")]
    )
    assert (position.hand(0), position.hand(1)) == ("blue red red", "green green warrior")
    assert position.reserve() == "yellow brown warrior"
    assert position.places() == [4, 2]


def test_fb08_an_option_names_the_first_seat_and_nature_does_not_draw_it() -> None:
    position = start_position(2, FireBullsOptions(first_seat=1)).play(*COLUMNS, *PAWN_PLACEMENTS, *HANDS, *RESERVE)
    assert position.seat() == 1


@pytest.mark.parametrize("first_seat", [-2, 2])
def test_fb08_a_first_seat_that_does_not_exist_is_refused(first_seat: int) -> None:
    with pytest.raises(InvalidOption):
        start_position(2, FireBullsOptions(first_seat=first_seat))


def test_fb08_the_first_seat_is_drawn_with_equal_chances_and_turns_go_clockwise() -> None:
    position = draw_until("first", start_position(3))
    assert position.chances() == {"first 0": 1, "first 1": 1, "first 2": 1}
    position.play("first 1")
    order = []
    for _ in range(4):
        order.append(position.seat())
        position.play(position.moves_starting("take")[0]).play_draws()
    assert order == [1, 2, 0, 1]


def test_fb86_a_draw_with_one_possible_outcome_is_still_drawn() -> None:
    position = draw_until("place", start_position(5)).play("place 0 1", "place 1 2", "place 2 3", "place 3 4")
    assert position.chances() == {"place 4 5": 1}
