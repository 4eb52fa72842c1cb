"""Composition cards: pattern matching of their pictures, in four rotations, on the exploded tiles of a display."""

from __future__ import annotations

from typing import Final

from engine_core.game import Move
from engine_core.games.spring_festival.components import COLOURS, DATA, NUMBERS, TILE_COLOURS
from engine_core.games.spring_festival.display import Display
from engine_core.games.spring_festival.squares import SIDES, WIDTH, direction

TURNS: Final = 4
ANYTHING: Final = "."
ANY_EXPLOSION: Final = "*"
COLOUR_LETTERS: Final = [colour[0].upper() for colour in COLOURS]
NUMBER_DIGITS: Final = ["1", "2", "3", "4"]

# Marks, as bits: what a square of a picture requires and an exploded tile has (explosion, colour, number).
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


def rotated(rows: list[str]) -> list[str]:
    """A picture after a quarter turn clockwise."""
    return ["".join([row[place] for row in reversed(rows)]) for place in range(len(rows[0]))]


class Picture:
    """A card in one rotation, as a path over its three or four squares, each adjacent to an earlier one.

    The path starts at a square with the card's `key`. `offsets` are its squares relative to the top left corner of the
    bounding box. The second square is adjacent to the first, the third to one of these, and so on: `…_origin` is the
    index of that earlier square, `…_side` the side of it, `…_need` the marks that the tile must have.
    """

    def __init__(self, rows: list[str], turns: int, key: str) -> None:
        self.turns: Final = turns
        squares = _walk(rows, key)
        needs = [_need(_letter(rows, square)) for square in squares]
        origins = [_origin(squares, place) for place in range(len(squares))]
        sides = [direction(squares[origins[place]], squares[place]) for place in range(1, len(squares))]
        last = len(squares) - 1
        self.offsets: Final = squares
        self.second_need: Final = needs[1]
        self.second_side: Final = sides[0]
        self.third_need: Final = needs[2]
        self.third_origin: Final = origins[2]
        self.third_side: Final = sides[1]
        self.has_fourth: Final = last == 3
        self.fourth_need: Final = needs[last]
        self.fourth_origin: Final = origins[last]
        self.fourth_side: Final = sides[last - 1]

    def match(self, neighbours: list[int], marks: list[int], first: int) -> int:
        """Match the picture from the slot `first`, which has the key. Returns the covered slots as a mask, or 0."""
        second = neighbours[8 * first + self.second_side]
        if second < 0 or not marks[second] & self.second_need:
            return 0
        third = neighbours[8 * (second if self.third_origin else first) + self.third_side]
        if third < 0 or not marks[third] & self.third_need:
            return 0
        mask = 1 << first | 1 << second | 1 << third
        if not self.has_fourth:
            return mask
        origin = self.fourth_origin
        adjacent = first if origin == 0 else second if origin == 1 else third
        fourth = neighbours[8 * adjacent + self.fourth_side]
        if fourth < 0 or not marks[fourth] & self.fourth_need:
            return 0
        return mask | 1 << fourth


def _letter(rows: list[str], square: int) -> str:
    return rows[square // WIDTH][square % WIDTH]


def _walk(rows: list[str], key: str) -> list[int]:
    """The squares of a picture, each adjacent to an earlier one, those with stricter needs as early as possible."""
    drawn = [WIDTH * y + x for y, row in enumerate(rows) for x, letter in enumerate(row) if letter != ANYTHING]
    drawn.sort(key=lambda square: _letter(rows, square) == ANY_EXPLOSION)
    walk = [next(square for square in drawn if _letter(rows, square) == key)]
    while len(walk) < len(drawn):
        walk.append(next(square for square in drawn if square not in walk and _origin([*walk, square], len(walk)) >= 0))
    return walk


def _origin(squares: list[int], place: int) -> int:
    """Index of the first earlier square that shares a side with the square at `place`; -1 if none does."""
    for earlier in range(place):
        if direction(squares[earlier], squares[place]) in SIDES:
            return earlier
    return -1


class Composition:
    """A composition card. `kind` is `COLOUR` or `PATTERN`; `key` is the need of the first square of its paths."""

    def __init__(self, name: str, kind: int, points: int, rows: list[str]) -> None:
        self.name: Final = name
        self.kind: Final = kind
        self.points: Final = points
        self.rows: Final = rows
        self.orientations: Final[list[list[str]]] = []
        while len(self.orientations) < TURNS and rows not in self.orientations:
            self.orientations.append(rows)
            rows = rotated(rows)
        key = next(letter for letter in "".join(self.rows) if letter not in (ANYTHING, ANY_EXPLOSION))
        self.key: Final = _need(key)
        self.pictures: Final = [Picture(turn, turns, key) for turns, turn in enumerate(self.orientations)]


COLOUR: Final = 0
PATTERN: Final = 1
KINDS: Final = ["colour", "pattern"]


def _cards(key: str, kind: int) -> list[Composition]:
    return [Composition(card["id"], kind, card["points"], card["picture"].split(" / ")) for card in DATA[key]]


COMPOSITIONS: Final[list[Composition]] = _cards("colourCompositions", COLOUR) + _cards("patternCompositions", PATTERN)
COMPOSITION_NAMES: Final[list[str]] = [card.name for card in COMPOSITIONS]
KEYS: Final[list[int]] = [card.key for card in COMPOSITIONS]
PICTURES: Final[list[list[Picture]]] = [card.pictures for card in COMPOSITIONS]
FIRST_PATTERN: Final = 36
"""Number of the first pattern card. Lower numbers are colour cards."""


BASE_CARDS: Final[int] = DATA["baseCompositions"]


def pile_size(extra: bool) -> int:
    """Number of cards of each kind, with or without the extra ones."""
    return FIRST_PATTERN if extra else BASE_CARDS


def pile(kind: int, extra: bool) -> list[int]:
    """All cards of a kind, with or without the extra ones."""
    first = kind * FIRST_PATTERN
    return list(range(first, first + pile_size(extra)))


class Complete(Move):
    """Complete a composition: `corner` is the top left square of its turned picture, `turns` are quarter turns."""

    def __init__(self, card: int, corner: int, turns: int) -> None:
        super().__init__(card, corner, turns)
        self.card: Final = card
        self.corner: Final = corner
        self.turns: Final = turns


def _marks(display: Display) -> list[int]:
    """The marks of the tile in each slot; 0 for one that has not exploded."""
    marks = []
    exploded = display.exploded
    for tile in display.tiles:
        marks.append(MARKS[tile] if exploded & 1 else 0)
        exploded >>= 1
    return marks


def can_complete(display: Display, cards: list[int]) -> bool:
    """Whether any of the cards matches the display."""
    exploded = display.exploded
    if exploded & exploded - 1 == 0:
        return False
    marks = _marks(display)
    neighbours = display.neighbours
    for card in cards:
        key = KEYS[card]
        pictures = PICTURES[card]
        for slot in range(len(marks)):
            if marks[slot] & key:
                for picture in pictures:
                    if picture.match(neighbours, marks, slot):
                        return True
    return False


def completions(display: Display, cards: list[int]) -> list[Move]:
    """The legal completions: for each card every matching set of tiles once, with the fewest turns (FW-46).

    Sorted by card, then turns, then corners in reading order.
    """
    marks = _marks(display)
    found: list[Move] = []
    for card in cards:
        _complete(display, card, marks, found)
    return found


def _complete(display: Display, card: int, marks: list[int], found: list[Move]) -> None:
    key = KEYS[card]
    neighbours = display.neighbours
    masks: list[int] = []
    for picture in PICTURES[card]:
        corners: list[int] = []
        for slot in range(len(marks)):
            if marks[slot] & key:
                mask = picture.match(neighbours, marks, slot)
                if mask and mask not in masks:
                    masks.append(mask)
                    corners.append(display.squares[slot] - picture.offsets[0])
        if len(corners) > 1:
            corners.sort()
        for corner in corners:
            found.append(Complete(card, corner, picture.turns))


def covered(display: Display, move: Complete) -> int:
    """The mask of the slots that a completed picture covers."""
    mask = 0
    for offset in PICTURES[move.card][move.turns].offsets:
        mask |= 1 << display.slot_at(move.corner + offset)
    return mask
