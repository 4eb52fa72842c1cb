"""Spring Festival: chain reactions of exploding tiles."""

from __future__ import annotations

from random import Random

import pytest

from engine_core.games.spring_festival.components import DIRECTIONS, TILES
from engine_core.games.spring_festival.display import Display, empty_display
from engine_core.games.spring_festival.squares import column, row
from tests.engine_core.games.spring_festival.positions import ONE_TILE, Position, new_position

DIRECTION_STEPS = {
    "N": (0, -1),
    "NE": (1, -1),
    "E": (1, 0),
    "SE": (1, 1),
    "S": (0, 1),
    "SW": (-1, 1),
    "W": (-1, 0),
    "NW": (-1, -1),
}


def place_tile(shown: str, tile: str, square: str) -> Position:
    return new_position([shown, ONE_TILE], [tile, "T01"]).play(f"0: place {square}", "1: place 1 0")


def test_vector_p4_a_chain_runs_along_the_arrows() -> None:
    position = place_tile("T31@0,0 T13@1,0 T19@1,1", "T38", "0 1")
    assert position.exploded() == "T31 T13 T19 T38"
    assert position.applause()[0] == 0


def test_vector_p4_an_explosion_is_not_set_off_again() -> None:
    position = place_tile("T13!@0,0 T31@1,0", "T38", "-1 0")
    assert position.exploded() == "T13 T38"


def test_fw33_an_arrow_reaches_the_next_square_only() -> None:
    """T37 points S: there is a gap, and a rocket after it."""
    position = place_tile("T03@1,0 T06@1,1 T09@1,2 T12@0,2", "T37", "0 0")
    assert position.exploded() == "T37"


@pytest.mark.parametrize(
    ("tile", "place"),
    [("T07", "1,-1"), ("T07", "1,1"), ("T07", "-1,1"), ("T07", "-1,-1"), ("T03", "0,-1"), ("T03", "1,0")],
)
def test_fw33_arrows_point_in_eight_directions(tile: str, place: str) -> None:
    x, y = (int(number) for number in place.split(","))
    joint = f"T48!@{x},0 T47!@0,{y} " if x and y else "T48!@-1,0 "
    position = place_tile(f"{joint}T46@{x},{y}", tile, "0 0")
    assert "T46" in position.exploded()


def test_fw34_arrows_towards_explosions_and_empty_squares_do_nothing() -> None:
    position = place_tile("T36!@0,0 T33@0,-1", "T03", "1 0")
    assert position.exploded() == "T36 T03"


def test_fw35_every_rocket_that_is_pointed_at_explodes() -> None:
    position = place_tile("T46@0,-1 T47@1,0 T48@0,1", "T03", "0 0")
    assert sorted(position.exploded().split()) == ["T03", "T46", "T47", "T48"]


def test_fw36_tiles_that_point_at_each_other_explode_once() -> None:
    position = place_tile("T44@0,0", "T43", "1 0")
    assert position.exploded() == "T44 T43"


def test_fw37_a_tile_that_replaces_an_explosion_starts_a_chain() -> None:
    position = place_tile("T12!@0,0 T46@1,0", "T03", "0 0")
    assert position.exploded() == "T03 T46"


def brute_force(display: Display, first: int) -> set[int]:
    """Tiles by coordinates, and arrows followed until nothing changes any more."""
    tiles = {
        (column(square), row(square)): TILES[tile] for square, tile in zip(display.squares, display.tiles, strict=True)
    }
    places = [(column(square), row(square)) for square in display.squares]
    burst = {places[slot] for slot in range(len(places)) if display.exploded >> slot & 1} | {places[first]}
    fresh = {places[first]}
    while fresh:
        pointed = {
            (x + DIRECTION_STEPS[DIRECTIONS[arrow]][0], y + DIRECTION_STEPS[DIRECTIONS[arrow]][1])
            for x, y in fresh
            for arrow in tiles[x, y].arrows
        }
        fresh = (pointed & set(tiles)) - burst
        burst |= fresh
    return {places.index(place) for place in burst}


def test_chains_equal_those_of_a_brute_force() -> None:
    random = Random(36)
    longest = 0
    for _ in range(400):
        display = empty_display()
        for tile in random.sample(range(len(TILES)), random.randint(1, 16)):
            slot = display.put_tile(tile, random.choice(display.free_squares()))
            display.exploded |= (random.random() < 0.2) << slot
        for slot in range(len(display.tiles)):
            chain = display.explosion_chain(slot)
            found = {other for other in range(len(display.tiles)) if chain >> other & 1}
            assert found == brute_force(display, slot)
            longest = max(longest, len(found))
    assert longest > 10
