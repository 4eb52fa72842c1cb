"""The components of Spring Festival, read from `components.json`: tiles, signs, numbers of rounds and points.

Directions count clockwise from north, so that the opposite of `d` is `d ^ 4`; sets of them are bit masks.
"""

from __future__ import annotations

import json
from pkgutil import get_data
from typing import Final

DIRECTIONS: Final = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
NORTH: Final = 0
EAST: Final = 2
SOUTH: Final = 4
WEST: Final = 6
OPPOSITE: Final = 4
"""`direction ^ OPPOSITE` is the opposite direction."""

COLOURS: Final = ["blue", "green", "red", "yellow"]
BLUE: Final = 0
GREEN: Final = 1
RED: Final = 2
YELLOW: Final = 3

NO_TILE: Final = -1
STORE_TILES: Final = 48
SET_SIZE: Final = 4
FIRST_STORE_TILE: Final = 16
"""Number of the first tile of the store. Lower numbers are the four start sets of four tiles."""

PILES: Final = 4

DATA: Final = json.loads(get_data(__package__, "components.json") or b"")


class Tile:
    """A tile, alike on both faces. Its number, 1 to 4, is also the number of its arrows."""

    def __init__(self, name: str, colour: int, arrows: list[int], sparks: list[int]) -> None:
        self.name: Final = name
        self.colour: Final = colour
        self.number: Final = len(arrows)
        self.arrows: Final = arrows
        self.sparks: Final = sparks


def _directions(names: str) -> list[int]:
    return [DIRECTIONS.index(name) for name in names.split()]


def _tiles(key: str) -> list[Tile]:
    return [
        Tile(tile["id"], COLOURS.index(tile["colour"]), _directions(tile["arrows"]), _directions(tile["sparks"]))
        for tile in DATA[key]
    ]


def _mask(directions: list[int]) -> int:
    return sum([1 << direction for direction in directions])


TILES: Final[list[Tile]] = _tiles("startTiles") + _tiles("storeTiles")
TILE_NAMES: Final[list[str]] = [tile.name for tile in TILES]
TILE_COLOURS: Final[list[int]] = [tile.colour for tile in TILES]
NUMBERS: Final[list[int]] = [tile.number for tile in TILES]
ARROWS: Final[list[list[int]]] = [tile.arrows for tile in TILES]
SPARKS: Final[list[list[int]]] = [tile.sparks for tile in TILES]
ARROW_MASKS: Final[list[int]] = [_mask(tile.arrows) for tile in TILES]
SPARK_MASKS: Final[list[int]] = [_mask(tile.sparks) for tile in TILES]

SIGNS: Final[list[str]] = [sign["id"] for sign in DATA["signs"]]
SIGN_POINTS: Final[list[int]] = [sign["each"] for sign in DATA["signs"]]

ARMS: Final[list[list[int]]] = [DATA["arms"].get(str(seats), []) for seats in range(5)]
"""The arm of the store in front of each seat, by number of seats (FW-16)."""
ROUNDS: Final[int] = DATA["rounds"]
CARDS_OF_A_KIND: Final[int] = DATA["cardsOfAKind"]
PERFECT_FINALE: Final[int] = DATA["perfectFinale"]
MAJORITY: Final[int] = DATA["majority"]
MAX_APPLAUSE: Final[int] = 3 * ROUNDS + PERFECT_FINALE


def start_set(seat: int) -> list[int]:
    """The start tiles of a seat (FW-05)."""
    return [SET_SIZE * seat + number for number in range(SET_SIZE)]
