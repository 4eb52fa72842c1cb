"""Spring Festival: when and where compositions can be completed, at what cost, and the cards drawn for them."""

from __future__ import annotations

import pytest

from engine_core.game import NATURE
from engine_core.games.spring_festival.components import COLOURS, TILES
from engine_core.games.spring_festival.compositions import COMPOSITION_NAMES, COMPOSITIONS, Complete, completions
from engine_core.games.spring_festival.squares import column, row
from tests.engine_core.games.spring_festival.positions import (
    ONE_TILE,
    Position,
    cards_named,
    new_position,
    parse_display,
)


def completion_places(shown: str, card: str) -> list[str]:
    """Where a card can be completed: corner and turns."""
    found = completions(parse_display(shown), [COMPOSITION_NAMES.index(card)])
    return [f"{column(move.corner)} {row(move.corner)} {move.turns}" for move in found if isinstance(move, Complete)]


def position_of_completion(shown: str, held: str, seat_count: int = 2, **more: object) -> Position:
    """Seat 0 may complete what it can, after T48 was placed below its display; the others hold nothing.

    The display must have a tile at (0, 0) and leave the square below it free, and no arrow of its own row matters.
    """
    displays = [shown, *[ONE_TILE] * (seat_count - 1)]
    position = new_position(displays, ["T48", "T39", "T41", "T40"][:seat_count], held=[held], **more)  # type: ignore[arg-type]
    return position.play("0: place 0 1", *[f"{seat}: place 1 0" for seat in range(1, seat_count)])


ROW = "T10!@0,0 T47!@1,0 T11!@2,0"
"""Blue, red, blue, all exploded: C01 is `B*B`."""


def test_vector_p5_a_card_is_completed_its_tiles_become_rockets_and_a_card_of_its_kind_is_drawn() -> None:
    position = new_position(["T47!@0,0 T38!@1,0 T31!@0,1 T19!@1,1", ONE_TILE], ["T42", "T39"], held=["C12"])
    position.play("0: place 2 0", "1: place 1 0")
    assert position.moves() == ["complete C12 0 0 0", "pass"]
    position.play("complete C12 0 0 0")
    assert position.exploded() == "T42"
    assert (position.completed(), position.cards()) == ("C12", "")
    assert (position.seat(), position.purpose()) == (NATURE, "colour")
    assert "deal 0 C17" in position.moves()
    assert position.play("deal 0 C17").cards() == "C17"


def test_fw38_nothing_is_completed_before_all_have_placed() -> None:
    position = new_position([ROW, ONE_TILE], held=["C01"])
    assert {move.split()[0] for move in position.moves(0)} == {"place"}
    position.play("0: place 0 -1")
    assert position.moves(0) == []


def test_fw38_explosions_of_earlier_rounds_count() -> None:
    assert position_of_completion(ROW, "C01").moves() == ["complete C01 0 0 0", "pass"]


def test_fw38_compositions_go_clockwise_from_the_active_seat() -> None:
    position = new_position(
        [ROW, "T22!@0,0 T46!@1,0 T23!@2,0", "T31!@0,0 T20!@1,0 T32!@2,0"],
        ["T48", "T39", "T41"],
        held=["C01", "C04", "P02"],
        active=1,
    )
    position.play("0: place 0 1", "1: place 0 1", "2: place 0 1")
    assert position.seat() == 2
    position.play("pass")
    assert position.seat() == 0


def test_fw39_a_seat_that_can_complete_nothing_is_not_asked() -> None:
    position = position_of_completion("T10!@0,0 T47!@1,0 T11@2,0", "C01")
    assert position.moves()[0] == "orient 0"


def test_fw39_a_card_may_be_left_for_later() -> None:
    position = position_of_completion(ROW, "C01").play("pass")
    assert (position.cards(), position.completed()) == ("C01", "")
    assert position.exploded() == "T10 T47 T11 T48"
    assert position.moves()[0] == "orient 0"


def test_fw39_the_turn_ends_by_itself_when_nothing_more_can_be_completed() -> None:
    position = position_of_completion(ROW, "C01").play("complete C01 0 0 0", "deal 0 C02")
    assert position.moves()[0] == "orient 0"
    assert position.seat() == 1


@pytest.mark.parametrize(
    ("shown", "place"),
    [
        ("T03!@0,0 T46!@0,1 T02!@1,1", "0 0 0"),
        ("T46!@0,0 T03!@1,0 T02!@0,1", "0 0 1"),
        ("T02!@0,0 T46!@1,0 T03!@1,1", "0 0 2"),
        ("T02!@1,0 T46!@1,1 T03!@0,1", "0 0 3"),
    ],
)
def test_fw40_a_picture_may_be_turned(shown: str, place: str) -> None:
    """C07 is `G. / *G`."""
    assert completion_places(shown, "C07") == [place]


def test_fw40_a_picture_is_never_mirrored() -> None:
    """C24 is `R. / R. / **`; its mirror is an L the other way round."""
    assert completion_places("T07!@0,0 T08!@0,1 T37!@0,2 T38!@1,2", "C24") == ["0 0 0"]
    assert completion_places("T07!@0,0 T08!@0,1 T37!@0,2 T38!@-1,2", "C24") == []


def test_fw41_tiles_outside_the_picture_and_explosions_under_a_dot_do_not_matter() -> None:
    assert completion_places("T03!@0,0 T46!@0,1 T02!@1,1 T48@1,0 T38@2,1", "C07") == ["0 0 0"]
    assert completion_places("T03!@0,0 T46!@0,1 T02!@1,1 T48!@1,0 T38@2,1", "C07") == ["0 0 0", "0 0 2"]


def test_fw41_a_square_of_colour_takes_any_number_and_one_of_number_any_colour() -> None:
    assert completion_places("T43!@0,0 T03!@1,0 T10!@2,0", "C01") == ["0 0 0"]
    assert completion_places("T31!@0,0 T03!@1,0 T28!@2,0", "P02") == ["0 0 0"]


@pytest.mark.parametrize("rocket", [0, 1, 2])
def test_fw42_every_square_of_the_picture_needs_an_explosion(rocket: int) -> None:
    words = ROW.split()
    words[rocket] = words[rocket].replace("!", "")
    assert completion_places(ROW, "C01") == ["0 0 0"]
    assert completion_places(" ".join(words), "C01") == []


def test_fw42_the_tiles_of_white_squares_become_rockets_too() -> None:
    position = position_of_completion(ROW, "C01").play("complete C01 0 0 0")
    assert position.exploded() == "T48"


def test_fw43_several_cards_may_be_completed_in_a_turn() -> None:
    position = position_of_completion(f"{ROW} T22!@3,0 T20!@4,0 T46!@5,0", "C01 P04", colours="C24 C23")
    assert position.moves_starting("complete") == [
        *["complete C01 0 0 0", "complete P04 3 0 0", "complete P04 2 0 2"],
    ]
    position.play("complete C01 0 0 0", "deal 0 C24", "complete P04 3 0 0")
    assert (position.completed(), position.exploded()) == ("C01 P04", "T48")


def test_fw43_a_tile_serves_for_one_card_only() -> None:
    """T10, T47 and T11 are `B*B`, and T47 and T46 have the number 1: `1*1` needs T11 between them."""
    position = position_of_completion("T10!@0,0 T47!@1,0 T11!@2,0 T46!@3,0", "C01 P01", colours="C24")
    assert position.moves_starting("complete P01") == ["complete P01 1 0 0"]
    position.play("complete C01 0 0 0", "deal 0 C24")
    assert position.moves()[0] == "orient 0"


def test_fw44_a_card_just_drawn_may_be_completed_at_once() -> None:
    position = position_of_completion("T10!@0,0 T47!@1,0 T11!@2,0 T19!@3,0 T46!@4,0 T22!@5,0", "C01", colours="C04 C05")
    position.play("complete C01 0 0 0", "deal 0 C04")
    assert position.moves() == ["complete C04 3 0 0", "pass"]
    position.play("complete C04 3 0 0", "deal 0 C05")
    assert position.completed() == "C01 C04"


def test_fw45_tiles_that_become_rockets_set_nothing_off_and_are_not_applauded() -> None:
    position = position_of_completion(ROW, "C01")
    before = position.applause()
    position.play("complete C01 0 0 0", "deal 0 C05")
    assert position.applause() == before
    assert position.exploded() == "T48"


def test_fw46_each_set_of_tiles_is_listed_once_with_the_smallest_turns() -> None:
    assert completion_places("T16!@0,0 T17!@1,0 T18!@0,1 T37!@1,1", "C11") == ["0 0 0"]
    assert completion_places("T01!@0,0 T02!@1,0 T03!@2,0", "C03") == ["0 0 0"]


def test_fw46_the_other_turns_are_refused() -> None:
    position = position_of_completion("T10!@0,0 T12!@1,0 T11!@2,0", "C01")
    assert position.moves_starting("complete") == ["complete C01 0 0 0"]


def test_fw46_the_corner_is_that_of_the_bounding_box_tile_or_not() -> None:
    """C16 is `.* / .* / RR`: there is no tile at its corner."""
    assert completion_places("T03!@1,0 T06!@1,1 T07!@1,2 T08!@0,2", "C16") == ["0 0 0"]


def test_fw46_completions_are_listed_by_card_then_turns_then_in_reading_order() -> None:
    shown = "T10!@0,0 T11!@1,0 T12!@2,0 T22!@0,-1 T23!@0,-2"
    assert completion_places(shown, "C01") == ["0 0 0", "0 -2 1"]
    position = position_of_completion(shown, "C01 P01 P03 C09")
    listed = [move.split() for move in position.moves_starting("complete")]
    keys = [(cards_named(card)[0], int(turns), int(y), int(x)) for _, card, x, y, turns in listed]
    assert keys == sorted(keys)
    assert position.moves()[-1] == "pass"


def brute_force(shown: str, card: str) -> set[frozenset[tuple[int, int]]]:
    """Sets of squares that a card matches, by laying every turn on every square."""
    tiles = parse_display(shown)
    letters = {}
    for slot, (square, tile) in enumerate(zip(tiles.squares, tiles.tiles, strict=True)):
        if tiles.exploded >> slot & 1:
            letters[column(square), row(square)] = tile
    [found] = [each for each in COMPOSITIONS if each.name == card]
    sets = set()
    for rows in found.orientations:
        for x in range(-6, 7):
            for y in range(-6, 7):
                cells = [(x + dx, y + dy, c) for dy, line in enumerate(rows) for dx, c in enumerate(line) if c != "."]
                if all((cx, cy) in letters and is_tile_of_letter(letters[cx, cy], c) for cx, cy, c in cells):
                    sets.add(frozenset((cx, cy) for cx, cy, _ in cells))
    return sets


def is_tile_of_letter(tile: int, letter: str) -> bool:
    return letter in ("*", COLOURS[TILES[tile].colour][0].upper(), str(TILES[tile].number))


@pytest.mark.parametrize("card", [card.name for card in COMPOSITIONS])
def test_completions_equal_those_of_a_brute_force(card: str) -> None:
    shown = (
        "T10!@0,0 T47!@1,0 T11!@2,0 T37!@3,0 T03!@0,1 T31!@1,1 T28!@2,1 T46!@3,1 "
        "T13!@0,2 T35!@1,2 T16@2,2 T43!@3,2 T20!@0,3 T25!@1,3 T06!@2,3 T22!@3,3"
    )
    assert len(completion_places(shown, card)) == len(brute_force(shown, card))


def test_fw47_completed_cards_are_public() -> None:
    position = position_of_completion(ROW, "C01").play("complete C01 0 0 0", "deal 0 C05")
    assert all(position.view(observer).seats[0].completed == cards_named("C01") for observer in (0, 1, -2))


def test_fw48_cards_that_are_not_completed_cost_nothing() -> None:
    position = new_position([ONE_TILE, ONE_TILE], held=["C01 C02 P01 P02", ""])
    assert position.points() == [0, 0]


def test_fw31_no_card_is_drawn_from_an_empty_pile() -> None:
    position = position_of_completion(ROW, "C01", colours="").play("complete C01 0 0 0")
    assert (position.cards(), position.completed()) == ("", "C01")
    assert position.moves()[0] == "orient 0"


def test_fw31_an_empty_pile_of_one_kind_leaves_the_other() -> None:
    position = position_of_completion("T31!@0,0 T47!@1,0 T32!@2,0", "P02", colours="").play("complete P02 0 0 0")
    assert position.purpose() == "pattern"
    assert len(position.moves()) == 23


TWO_DISPLAYS = [ROW, "T31!@0,0 T46!@1,0 T32!@1,-1 T20@2,0"]
"""Seat 0 can complete C01, `B*B`, and seat 1 C05, `*. / BB`, with T22 at (0, 1)."""


@pytest.mark.parametrize("active", [0, 1])
def test_fw32_the_last_card_goes_to_the_seat_that_is_asked_first(active: int) -> None:
    position = new_position(TWO_DISPLAYS, ["T48", "T22"], held=["C01", "C05"], colours="C03", active=active)
    position.play("0: place 0 1", "1: place 0 1")
    assert position.seat() == active
    position.play(position.moves()[0], f"deal {active} C03")
    assert position.seat() == 1 - active
    position.play(position.moves()[0])
    assert (position.cards(active), position.cards(1 - active)) == ("C03", "")
