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
NO_COLOUR: Final = -1

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


class Sign:
    """A sign: points for each of what it counts, of tiles of one colour or number if it has one."""

    def __init__(self, name: str, points: int, counts: str, colour: int, number: int) -> None:
        self.name: Final = name
        self.points: Final = points
        self.counts: Final = counts
        """What is counted: a key of the functions in `signs`."""
        self.colour: Final = colour
        """`NO_COLOUR` for tiles of any."""
        self.number: Final = number
        """0 for tiles of any."""

    def is_about(self, tile: int) -> bool:
        """Whether a tile has the colour and the number."""
        return self.colour in (NO_COLOUR, TILE_COLOURS[tile]) and self.number in (0, NUMBERS[tile])


def _sign(sign: dict[str, str], points: int, number: int) -> Sign:
    colour = COLOURS.index(sign["colour"]) if "colour" in sign else NO_COLOUR
    return Sign(sign["id"], points, sign["counts"], colour, number)


SIGN_CARDS: Final[list[Sign]] = [_sign(sign, sign["each"], sign.get("number", 0)) for sign in DATA["signs"]]
SIGNS: Final[list[str]] = [sign.name for sign in SIGN_CARDS]
SIGN_POINTS: Final[list[int]] = [sign.points for sign in SIGN_CARDS]
SIGN_TILES: Final[list[list[bool]]] = [[sign.is_about(tile) for tile in range(len(TILES))] for sign in SIGN_CARDS]
"""Whether a sign is about a tile, by sign and tile."""

ARMS: Final[list[list[int]]] = [DATA["arms"].get(str(seats), []) for seats in range(5)]
"""The arm of the store in front of each seat, by number of seats (FW-16)."""
ROUNDS: Final[int] = DATA["rounds"]
CARDS_OF_A_KIND: Final[int] = DATA["cardsOfAKind"]
SPARK: Final[int] = DATA["spark"]
"""Applause for a complete spark."""
PERFECT_FINALE: Final[int] = DATA["perfectFinale"]
"""Applause for a finale that sets off all tiles."""
EXPLODED_TILE: Final[int] = DATA["explodedTile"]
"""Points for each tile that has exploded in the finale."""
APPLAUSE: Final[int] = DATA["applause"]
"""Points for each applause."""
MAJORITY: Final[int] = DATA["majority"]
"""Points for each opponent with less applause."""
MAX_APPLAUSE: Final[int] = 3 * SPARK * ROUNDS + PERFECT_FINALE


def start_set(seat: int) -> list[int]:
    """The start tiles of a seat (FW-05)."""
    return [SET_SIZE * seat + number for number in range(SET_SIZE)]
