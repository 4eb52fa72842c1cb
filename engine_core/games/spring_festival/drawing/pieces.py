"""Tiles and composition cards of Spring Festival as SVG markup, which all pictures share, and their titles."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

from engine_core.games.spring_festival.components import ARROWS, NUMBERS, SPARKS, TILE_COLOURS, TILES
from engine_core.games.spring_festival.compositions import (
    ANY_EXPLOSION,
    ANYTHING,
    COLOUR_LETTERS,
    COMPOSITIONS,
    Composition,
)
from engine_core.games.spring_festival.notation import COMPOSITION, STORE_TILE
from engine_core.pictures.svg import Value
from engine_core.words import Words

TILE: Final = 100
"""Width and height of a tile in its own units."""
CARD_WIDTH: Final = 100
CARD_HEIGHT: Final = 136
CELL: Final = 30
"""Width and height of a square of a card's picture."""

# Tiles and cards look the same in both themes, as printed things do. Colours of three digits save 2 kB a picture.
DAY: Final = "#fff8e8"
NIGHT: Final = "#214"
DARK_INK: Final = "#111"
LIGHT_INK: Final = "#fff"
GOLD: Final = "#fb0"
EDGE: Final = "#887"
POINTS: Final = "#b40"
FILLS: Final = ["#15c", "#173", "#c21", "#fb0"]
"""By colour."""
GLOWS: Final = ["#58e", "#4b6", "#e65", "#d90"]
"""Colours of the rays of an explosion."""
SHAPES: Final = [
    "M23 50a27 27 0 1054 0a27 27 0 10-54 0z",
    "M31 26h38q5 0 5 5v38q0 5-5 5h-38q-5 0-5-5v-38q0-5 5-5z",
    "M50 17L83 50 50 83 17 50z",
    "M50 18L84 76H16z",
]
"""By colour: circle, square, diamond, triangle. They tell the colours apart without seeing them."""
YELLOW: Final = 3
ON_YELLOW: Final = f' font-size="39" fill="{DARK_INK}"'
"""Attributes of the number on a yellow tile, whose shape has less room."""
BASELINES: Final = [65, 65, 65, 71]

Points = list[tuple[int, int]]

ARROW: Final[Points] = [(50, 5), (64, 21), (36, 21)]
CORNER_ARROW: Final[Points] = [(91, 9), (89, 31), (69, 11)]
SPARK: Final[Points] = [(33, 2), (42, 5), (38, 14), (46, 10), (50, 19), (54, 10), (62, 14), (58, 5), (67, 2)]
"""An arrow to the north, one to the north-east, and the half spark on the north edge."""

TILES_GROUP: Final[dict[str, Value]] = {
    "font_weight": "bold", "text_anchor": "middle", "font_size": 42, "fill": LIGHT_INK, "stroke_width": 2,
}  # fmt: skip
CARDS_GROUP: Final[dict[str, Value]] = {
    "font_weight": "bold", "text_anchor": "middle", "font_size": 31, "fill": DAY, "stroke": EDGE,
}  # fmt: skip
"""Attributes of the groups that tiles and cards are in, which would be half of their markup."""


def path_of(points: Points) -> str:
    """A closed path through points."""
    (x, y), *others = points
    steps = []
    last_x, last_y = x, y
    for next_x, next_y in others:
        steps.append(f"{next_x - last_x} {next_y - last_y}")
        last_x, last_y = next_x, next_y
    return f"M{x} {y}l{' '.join(steps)}z".replace(" -", "-")


def _turned(points: Points, quarters: int) -> str:
    """The path through points that are turned clockwise about the middle of a tile."""
    for _ in range(quarters):
        points = [(TILE - y, x) for x, y in points]
    return path_of(points)


def star(x: float, y: float, outer: float, inner: float, rays: int) -> str:
    """The path of a star."""
    corners: Points = []
    for corner in range(2 * rays):
        reach, angle = (inner if corner % 2 else outer), pi * corner / rays
        corners.append((round(x + reach * sin(angle)), round(y - reach * cos(angle))))
    return path_of(corners)


ARROW_PATHS: Final = [_turned(CORNER_ARROW if way % 2 else ARROW, way // 2) for way in range(8)]
SPARK_PATHS: Final = [_turned(SPARK, way // 2) for way in range(8)]
"""Paths by direction."""
BURST: Final = star(50, 50, 47, 33, 8)
"""The rays of an exploded tile."""
WAYS: Final = ["n", "ne", "e", "se", "s", "sw", "w", "nw"]
"""Words of the directions."""

SIGN_PATHS: Final = [
    "m-10 0a10 10 0 1020 0a10 10 0 10-20 0z",
    "m-9-9h18v18h-18z",
    "m0-12l12 12-12 12-12-12z",
    "m0-11l11 19h-22z",
]
"""The shapes of the colours about a point, as cards have them."""


class Titles:
    """The titles of tiles and cards in a language."""

    def __init__(self, words: Words) -> None:
        self.tiles: Final = [_tile_title(words, tile) for tile in range(len(TILES))]
        self.cards: Final = [COMPOSITION.name(card, words) for card in range(len(COMPOSITIONS))]


_TITLES: Final[dict[str, Titles]] = {}


def titles_in(words: Words) -> Titles:
    """The titles in a language, made once."""
    found = _TITLES.get(words.locale)
    if found is None:
        found = _TITLES[words.locale] = Titles(words)
    return found


def _tile_title(words: Words, tile: int) -> str:
    title = STORE_TILE.name(tile, words)
    for key, ways in (("arrows", ARROWS[tile]), ("sparks", SPARKS[tile])):
        if ways:
            names = ", ".join([words.name("picture", WAYS[way]) for way in ways])
            title += f". {words.sentence(f'picture.{key}', names)}"
    return title


def face(exploded: bool, colour: int) -> str:
    """The face of a tile without what is printed on it."""
    ground, rays = (NIGHT, f'<path d="{BURST}" fill="{GLOWS[colour]}"/>') if exploded else (DAY, "")
    return f'<rect x="2" y="2" width="96" height="96" rx="11" fill="{ground}" stroke="{EDGE}"/>{rays}'


def _tile(tile: int, exploded: bool) -> str:
    colour = TILE_COLOURS[tile]
    ink, outline = (LIGHT_INK, f' stroke="{NIGHT}"') if exploded else (DARK_INK, "")
    sparks = "".join([SPARK_PATHS[way] for way in SPARKS[tile]])
    arrows = "".join([ARROW_PATHS[way] for way in ARROWS[tile]])
    return (
        face(exploded, colour)
        + (f'<path d="{sparks}" fill="{GOLD}" stroke="{ink}"/>' if sparks else "")
        + f'<path d="{arrows}" fill="{ink}"{outline}/>'
        + f'<path d="{SHAPES[colour]}" fill="{FILLS[colour]}" stroke="{ink}"/>'
        + f'<text x="50" y="{BASELINES[colour]}"{ON_YELLOW if colour == YELLOW else ""}>{NUMBERS[tile]}</text>'
    )


def _card(composition: Composition) -> str:
    """A card: its name, its picture, and its points in the corner that no picture reaches."""
    rows = composition.rows
    is_wide = len(rows[0]) == 3
    left = 20 if is_wide else 20 + (62 - CELL * len(rows[0])) // 2
    top = 55 + ((60 if is_wide else 90) - CELL * len(rows)) // 2
    squares, stars, numbers = "", "", ""
    shapes = [""] * len(FILLS)
    for down, row in enumerate(rows):
        for across, letter in enumerate(row):
            if letter == ANYTHING:
                continue
            x, y = left + CELL * across, top + CELL * down
            squares += f"M{x - 14} {y - 14}h28v28h-28z"
            if letter == ANY_EXPLOSION:
                stars += star(x, y, 11, 4, 4)
            elif letter in COLOUR_LETTERS:
                shapes[COLOUR_LETTERS.index(letter)] += f"M{x} {y}{SIGN_PATHS[COLOUR_LETTERS.index(letter)]}"
            else:
                numbers += f'<text x="{x}" y="{y + 11}" fill="{LIGHT_INK}">{letter}</text>'
    return (
        f'<rect x="1" y="1" width="98" height="134" rx="12"/><g stroke="none">'
        f'<text x="37" y="31" fill="{DARK_INK}">{composition.name}</text>'
        f'<path d="{squares}" fill="{NIGHT}"/><path d="{stars}" fill="#ccd"/>'
        + "".join(
            [
                f'<path d="{path}" fill="{FILLS[colour]}" stroke="{LIGHT_INK}"/>'
                for colour, path in enumerate(shapes)
                if path
            ]
        )
        + f'{numbers}<circle cx="81" cy="117" r="15" fill="{POINTS}"/>'
        f'<text x="81" y="128" fill="{LIGHT_INK}">{composition.points}</text></g>'
    )


def shape(x: float, y: float, size: float, colour: int, ink: str) -> str:
    """The shape of a colour in a box of `size`."""
    return (
        f'<path transform="translate({x:.5g} {y:.5g}) scale({size / TILE:.4g})" d="{SHAPES[colour]}" '
        f'fill="{FILLS[colour]}" stroke="{ink}" stroke-width="3"/>'
    )


ROCKETS: Final = [_tile(tile, False) for tile in range(len(TILES))]
EXPLOSIONS: Final = [_tile(tile, True) for tile in range(len(TILES))]
CARDS: Final = [_card(composition) for composition in COMPOSITIONS]
"""The markup of each tile and card, in its own units. It is most of a picture, so it is made once."""
