"""Spring Festival: the component data against the counts of the rulebook and the rules of their making."""

from __future__ import annotations

from collections import Counter

import pytest

from engine_core.games.spring_festival.components import (
    COLOURS,
    DIRECTIONS,
    FIRST_STORE_TILE,
    SIGN_POINTS,
    SIGNS,
    TILES,
    start_set,
)
from engine_core.games.spring_festival.compositions import COMPOSITIONS, Composition
from tests.engine_core.games.spring_festival.positions import GAME, start_position

START_TILES = TILES[:FIRST_STORE_TILE]
STORE_TILES = TILES[FIRST_STORE_TILE:]
BASE_CARDS = [card for card in COMPOSITIONS if int(card.name[1:]) <= 24]


def test_there_are_48_tiles_in_the_store_and_16_to_start_with() -> None:
    assert (len(STORE_TILES), len(START_TILES)) == (48, 16)
    assert len({tile.name for tile in TILES}) == 64


def test_arrows_and_half_sparks_are_four_on_every_tile() -> None:
    assert all(len(tile.arrows) + len(tile.sparks) == 4 for tile in TILES)
    assert all(1 <= tile.number <= 4 for tile in TILES)


def test_half_sparks_sit_on_edges_and_never_on_that_of_an_arrow() -> None:
    for tile in TILES:
        assert all(DIRECTIONS[spark] in "NESW" for spark in tile.sparks)
        assert not set(tile.sparks) & set(tile.arrows)


def test_the_store_has_three_different_tiles_of_every_colour_and_number() -> None:
    kinds = Counter((tile.colour, tile.number) for tile in STORE_TILES)
    assert set(kinds.values()) == {3}
    assert len(kinds) == 16
    assert len({(tile.colour, tuple(tile.arrows)) for tile in STORE_TILES}) == 48


def test_each_start_set_has_every_number_and_every_colour_once() -> None:
    for seat in range(4):
        tiles = [TILES[tile] for tile in start_set(seat)]
        assert [tile.number for tile in tiles] == [1, 2, 3, 4]
        assert {tile.colour for tile in tiles} == set(range(4))


@pytest.mark.parametrize(("name", "spark"), [("S1-3", "S"), ("T13", "N")])
def test_the_two_tiles_have_the_half_spark_of_the_pictures(name: str, spark: str) -> None:
    [tile] = [tile for tile in TILES if tile.name == name]
    assert [DIRECTIONS[side] for side in tile.sparks] == [spark]


@pytest.mark.parametrize(
    ("name", "colour", "arrows", "sparks"),
    [
        ("S1-1", "red", "E", "N S W"),
        ("S4-4", "red", "N SE S SW", ""),
        ("T01", "green", "E SW W NW", ""),
        ("T13", "green", "NE E SE", "N"),
        ("T23", "blue", "N W NW", "S"),
        ("T34", "red", "SE SW", "N W"),
        ("T48", "red", "N", "E S W"),
    ],
)
def test_tiles_are_as_in_the_table(name: str, colour: str, arrows: str, sparks: str) -> None:
    [tile] = [tile for tile in TILES if tile.name == name]
    assert COLOURS[tile.colour] == colour
    assert {DIRECTIONS[arrow] for arrow in tile.arrows} == set(arrows.split())
    assert {DIRECTIONS[side] for side in tile.sparks} == set(sparks.split())


def test_fw03_there_are_24_composition_cards_of_each_kind_and_36_with_the_extra_ones() -> None:
    assert [len(start_position().state.undrawn_patterns), len(start_position().state.undrawn_colours)] == [24, 24]
    assert [
        len(start_position(extra=True).state.undrawn_patterns),
        len(start_position(extra=True).state.undrawn_colours),
    ] == [36, 36]
    assert not set(start_position().state.undrawn_patterns) & set(start_position().state.undrawn_colours)


def required_letters(card: Composition) -> list[str]:
    return sorted(set("".join(card.rows)) - {"*", "."})


def test_fw03_a_base_card_asks_for_one_value_and_an_extra_card_for_two() -> None:
    assert all(len(required_letters(card)) == (1 if card in BASE_CARDS else 2) for card in COMPOSITIONS)


def test_fw03_the_base_cards_are_six_shapes_in_every_colour_or_number() -> None:
    kinds = Counter((normalised_shape(card), *required_letters(card)) for card in BASE_CARDS)
    assert set(kinds.values()) == {1}
    assert len({first for first, _ in kinds}) == 6


def normalised_shape(card: Composition) -> tuple[str, ...]:
    """The picture without its values, in the turn that sorts first."""
    turns = [
        tuple(["".join(["." if letter == "." else "#" for letter in line]) for line in rows])
        for rows in card.orientations
    ]
    return min(turns)


@pytest.mark.parametrize("card", COMPOSITIONS, ids=lambda card: card.name)
def test_fw40_a_picture_is_turned_clockwise_as_often_as_it_looks_different(card: Composition) -> None:
    for earlier, later in zip(card.orientations, card.orientations[1:], strict=False):
        height = len(earlier)
        for y, line in enumerate(later):
            assert line == "".join([earlier[height - 1 - x][y] for x in range(height)])
    assert len({tuple(rows) for rows in card.orientations}) == len(card.orientations)
    assert len(card.orientations) in (2, 4)


def test_fw40_a_mirrored_picture_is_no_turn() -> None:
    [card] = [card for card in COMPOSITIONS if card.name == "C24"]
    assert [".R", ".R", "**"] not in card.orientations


def test_a_card_gives_four_to_six_points_and_covers_three_or_four_squares() -> None:
    assert {card.points for card in COMPOSITIONS} == {4, 5, 6}
    assert {sum(letter != "." for letter in "".join(card.rows)) for card in COMPOSITIONS} == {3, 4}


def test_there_are_twelve_signs() -> None:
    assert dict(zip(SIGNS, SIGN_POINTS, strict=True)) == {
        "goat": 3,
        "rooster": 3,
        "rabbit": 5,
        "dog": 3,
        "snake": 5,
        "tiger": 3,
        "rat": 3,
        "monkey": 2,
        "dragon": 2,
        "pig": 2,
        "ox": 5,
        "horse": 5,
    }


def test_fw04_two_to_four_may_play() -> None:
    assert (GAME.min_seats, GAME.max_seats) == (2, 4)
