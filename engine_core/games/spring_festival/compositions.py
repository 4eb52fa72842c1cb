"""Composition cards: their pictures in four turns, and where a display matches them."""

from __future__ import annotations

from typing import Final

from engine_core.games.spring_festival.display import Display
from engine_core.games.spring_festival.squares import SIDES, WIDTH, direction
from engine_core.games.spring_festival.tiles import COLOURS, DATA, NUMBERS, TILE_COLOURS

TURNS: Final = 4
ANYTHING: Final = "."
ANY_EXPLOSION: Final = "*"
COLOUR_LETTERS: Final = [colour[0].upper() for colour in COLOURS]
NUMBER_DIGITS: Final = ["1", "2", "3", "4"]

# What a square asks for, and what an exploded tile offers, as bits: any explosion, its colour, its number.
EXPLODED: Final = 1
MARKS: Final[list[int]] = [
    EXPLODED | 2 << colour | 16 << number for colour, number in zip(TILE_COLOURS, NUMBERS, strict=True)
]


def _need(letter: str) -> int:
    if letter == ANY_EXPLOSION:
        return EXPLODED
    if letter in COLOUR_LETTERS:
        return 2 << COLOUR_LETTERS.index(letter)
    return 32 << NUMBER_DIGITS.index(letter)


def turned(rows: list[str]) -> list[str]:
    """A picture after a quarter turn clockwise."""
    return ["".join([row[place] for row in reversed(rows)]) for place in range(len(rows[0]))]


class Picture:
    """A card in one of its turns, as a walk over its squares from the one that is hardest to find.

    `needs` is what each square asks for. From the second on, a square lies in direction `sides` of the earlier one
    `origins`. `offsets` are their distances from the top left corner of the bounding box, as squares count.
    """

    def __init__(self, rows: list[str], turns: int) -> None:
        self.turns: Final = turns
        squares = _walk(rows)
        self.offsets: Final = squares
        self.needs: Final = [_need(rows[square // WIDTH][square % WIDTH]) for square in squares]
        self.origins: Final = [0]
        self.sides: Final = [0]
        for place in range(1, len(squares)):
            origin = _origin(squares, place)
            self.origins.append(origin)
            self.sides.append(direction(squares[origin], squares[place]))

    def match(self, near: list[int], marks: list[int], first: int) -> int:
        """The slots that the picture covers when its walk starts at a slot, as a mask; 0 when it does not match."""
        needs = self.needs
        if not marks[first] & needs[0]:
            return 0
        found = [first]
        mask = 1 << first
        for place in range(1, len(needs)):
            slot = near[8 * found[self.origins[place]] + self.sides[place]]
            if slot < 0 or not marks[slot] & needs[place]:
                return 0
            found.append(slot)
            mask |= 1 << slot
        return mask


def _walk(rows: list[str]) -> list[int]:
    """The squares of a picture, each next to an earlier one; the first asks for a colour or a number."""
    drawn = [WIDTH * y + x for y, row in enumerate(rows) for x, letter in enumerate(row) if letter != ANYTHING]
    first = next(square for square in drawn if rows[square // WIDTH][square % WIDTH] != ANY_EXPLOSION)
    walk = [first]
    while len(walk) < len(drawn):
        walk.append(next(square for square in drawn if square not in walk and _origin([*walk, square], len(walk)) >= 0))
    return walk


def _origin(squares: list[int], place: int) -> int:
    """Which of the earlier squares shares a side with one, -1 when none does."""
    for earlier in range(place):
        if direction(squares[earlier], squares[place]) in SIDES:
            return earlier
    return -1


class Composition:
    """A composition card; `kind` is `COLOUR` or `PATTERN`."""

    def __init__(self, name: str, kind: int, points: int, rows: list[str]) -> None:
        self.name: Final = name
        self.kind: Final = kind
        self.points: Final = points
        self.rows: Final = rows
        self.orientations: Final[list[list[str]]] = []
        while len(self.orientations) < TURNS and rows not in self.orientations:
            self.orientations.append(rows)
            rows = turned(rows)
        self.pictures: Final = [Picture(turn, turns) for turns, turn in enumerate(self.orientations)]


COLOUR: Final = 0
PATTERN: Final = 1


def _cards(key: str, kind: int) -> list[Composition]:
    return [Composition(card["id"], kind, card["points"], card["picture"].split(" / ")) for card in DATA[key]]


COMPOSITIONS: Final[list[Composition]] = _cards("colourCompositions", COLOUR) + _cards("patternCompositions", PATTERN)
COMPOSITION_NAMES: Final[list[str]] = [card.name for card in COMPOSITIONS]
PICTURES: Final[list[list[Picture]]] = [card.pictures for card in COMPOSITIONS]
FIRST_PATTERN: Final = 36
"""Cards are numbered: first those of colour, then those of pattern."""


def pile(kind: int, extra: bool) -> list[int]:
    """The cards of a kind: 24, or 36 with the extra ones."""
    first = kind * FIRST_PATTERN
    return list(range(first, first + (FIRST_PATTERN if extra else int(DATA["baseCompositions"]))))


def _marks(display: Display) -> list[int]:
    """What each slot offers to a picture; 0 for a rocket."""
    exploded = display.exploded
    return [MARKS[tile] if exploded >> slot & 1 else 0 for slot, tile in enumerate(display.tiles)]


def can_complete(display: Display, cards: list[int]) -> bool:
    """Whether any of the cards matches anywhere."""
    exploded = display.exploded
    if exploded & exploded - 1 == 0:
        return False
    marks = _marks(display)
    near = display.near
    for card in cards:
        for picture in PICTURES[card]:
            for slot in range(len(marks)):
                if picture.match(near, marks, slot):
                    return True
    return False


class Place:
    """Where a picture matches: the square of the top left corner of its bounding box, and the quarter turns."""

    def __init__(self, corner: int, turns: int) -> None:
        self.corner: Final = corner
        self.turns: Final = turns


def places(display: Display, card: int) -> list[Place]:
    """Every set of tiles that matches, once, with the smallest turns; by turns, then in reading order (FW-46)."""
    marks = _marks(display)
    found: list[Place] = []
    covered: list[int] = []
    for picture in PICTURES[card]:
        corners: list[int] = []
        for slot in range(len(marks)):
            mask = picture.match(display.near, marks, slot)
            if mask and mask not in covered:
                covered.append(mask)
                corners.append(display.squares[slot] - picture.offsets[0])
        corners.sort()
        for corner in corners:
            found.append(Place(corner, picture.turns))
    return found


def covered(display: Display, card: int, corner: int, turns: int) -> int:
    """The slots under a picture, as a mask."""
    mask = 0
    for offset in PICTURES[card][turns].offsets:
        mask |= 1 << display.slot_at(corner + offset)
    return mask
