"""The moves of Spring Festival and their notation. Equal moves are equal objects; the common ones are made once."""

from __future__ import annotations

from typing import Final

from engine_core.errors import MalformedMove
from engine_core.game import Move
from engine_core.games.spring_festival.compositions import COMPOSITION_NAMES, TURNS, Complete
from engine_core.games.spring_festival.squares import FARTHEST, NO_SQUARE, SQUARES, column, row, square_at
from engine_core.games.spring_festival.tiles import FIRST_STORE_TILE, NO_TILE, PILES, SIGNS, TILE_NAMES, TILES
from engine_core.notation import Words

MAX_SEATS: Final = 4


class Lay(Move):
    """Lay a start tile; both are hidden from those who do not see it."""

    def __init__(self, tile: int, square: int) -> None:
        super().__init__(tile, square)
        self.tile: Final = tile
        self.square: Final = square


class Orient(Move):
    """Turn the store to one of its four positions, 0 to 3."""

    def __init__(self, offset: int) -> None:
        super().__init__(offset)
        self.offset: Final = offset


class Place(Move):
    """Put the tile just taken on a square, in the place of another tile or on a free one; hidden until all have."""

    def __init__(self, square: int) -> None:
        super().__init__(square)
        self.square: Final = square


class Pass(Move):
    """Complete no more compositions in this round."""


class Launch(Move):
    """Begin the finale with the rocket on a square."""

    def __init__(self, square: int) -> None:
        super().__init__(square)
        self.square: Final = square


class Reveal(Move):
    """Nature turns up the top tile of a pile, 0 to 3."""

    def __init__(self, pile: int, tile: int) -> None:
        super().__init__(pile, tile)
        self.pile: Final = pile
        self.tile: Final = tile


class Deal(Move):
    """Nature deals a composition card to a seat."""

    def __init__(self, seat: int, card: int) -> None:
        super().__init__(seat, card)
        self.seat: Final = seat
        self.card: Final = card


class Sign(Move):
    """Nature draws the sign."""

    def __init__(self, sign: int) -> None:
        super().__init__(sign)
        self.sign: Final = sign


class FirstSeat(Move):
    """Nature draws the seat that is active first."""

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.seat: Final = seat


SEALED_LAY: Final = Lay(NO_TILE, NO_SQUARE)
"""The laying of a start tile, for those who do not see it."""
SEALED_PLACE: Final = Place(NO_SQUARE)
"""A placement, for those who do not see it."""

START_REACH: Final = 3
"""No start tile can lie farther from the first one."""


def _start_squares() -> list[int]:
    """For each square its place in a list of those that start tiles can reach, in reading order; -1 for the others."""
    table = [-1] * SQUARES
    reached = range(-START_REACH, START_REACH + 1)
    for place, (y, x) in enumerate([(y, x) for y in reached for x in reached]):
        table[square_at(x, y)] = place
    return table


START_SQUARES: Final[list[int]] = _start_squares()
LAYS: Final[list[list[Lay]]] = [
    [Lay(tile, square) for square in range(SQUARES) if START_SQUARES[square] >= 0] for tile in range(FIRST_STORE_TILE)
]
"""By tile and place in `START_SQUARES`."""
ORIENTS: Final = [Orient(offset) for offset in range(PILES)]
PLACES: Final = [Place(square) for square in range(SQUARES)]
PASS: Final = Pass()
LAUNCHES: Final = [Launch(square) for square in range(SQUARES)]
REVEALS: Final = [[Reveal(pile, tile) for tile in range(len(TILES))] for pile in range(PILES)]
DEALS: Final = [[Deal(seat, card) for card in range(len(COMPOSITION_NAMES))] for seat in range(MAX_SEATS)]
SIGN_DRAWS: Final = [Sign(sign) for sign in range(len(SIGNS))]
FIRST_SEATS: Final = [FirstSeat(seat) for seat in range(MAX_SEATS)]


def _square(square: int) -> str:
    return f"{column(square)} {row(square)}"


def notation(move: Move) -> str:
    """The text of a move."""
    if isinstance(move, Lay):
        return "lay ?" if move.tile == NO_TILE else f"lay {TILE_NAMES[move.tile]} {_square(move.square)}"
    if isinstance(move, Orient):
        return f"orient {move.offset}"
    if isinstance(move, Place):
        return "place ?" if move.square == NO_SQUARE else f"place {_square(move.square)}"
    if isinstance(move, Complete):
        return f"complete {COMPOSITION_NAMES[move.card]} {_square(move.corner)} {move.turns}"
    if isinstance(move, Pass):
        return "pass"
    if isinstance(move, Launch):
        return f"launch {_square(move.square)}"
    return _nature_notation(move)


def _nature_notation(move: Move) -> str:
    if isinstance(move, Reveal):
        return f"reveal {move.pile} {TILE_NAMES[move.tile]}"
    if isinstance(move, Deal):
        return f"deal {move.seat} {COMPOSITION_NAMES[move.card]}"
    if isinstance(move, Sign):
        return f"sign {SIGNS[move.sign]}"
    if isinstance(move, FirstSeat):
        return f"first_seat {move.seat}"
    raise TypeError(f"{type(move).__name__} is not a move of Spring Festival")


COORDINATES: Final = [str(number) for number in range(-FARTHEST, FARTHEST + 1)]


_TILES: Final = [name.lower() for name in TILE_NAMES]
_CARDS: Final = [name.lower() for name in COMPOSITION_NAMES]
_SIGNS: Final = [name.lower() for name in SIGNS]
"""As they are read."""


class _Words(Words):
    """The words of a notation of this game."""

    def below(self, bound: int, what: str) -> int:
        return self.one_of([str(number) for number in range(bound)], f"{what} from 0 to {bound - 1}")

    def coordinate(self) -> int:
        return self.one_of(COORDINATES, f"a coordinate from -{FARTHEST} to {FARTHEST}") - FARTHEST

    def square(self) -> int:
        x = self.coordinate()
        return square_at(x, self.coordinate())

    def is_sealed(self) -> bool:
        return self.words[self.next :] == ["?"]

    def sealed(self, move: Move) -> Move:
        self.next += 1
        return move

    def move(self) -> Move:
        verb = self.word()
        if verb == "lay":
            return self.sealed(SEALED_LAY) if self.is_sealed() else self.lay()
        if verb == "place":
            return self.sealed(SEALED_PLACE) if self.is_sealed() else Place(self.square())
        if verb == "orient":
            return Orient(self.below(PILES, "a position"))
        if verb == "complete":
            card = self.one_of(_CARDS, "a composition")
            corner = self.square()
            return Complete(card, corner, self.below(TURNS, "quarter turns"))
        if verb == "pass":
            return PASS
        if verb == "launch":
            return Launch(self.square())
        return self.nature_move(verb)

    def lay(self) -> Move:
        tile = self.one_of(_TILES[:FIRST_STORE_TILE], "a start tile")
        return Lay(tile, self.square())

    def nature_move(self, verb: str) -> Move:
        if verb == "reveal":
            pile = self.below(PILES, "a pile")
            return Reveal(pile, self.one_of(_TILES[FIRST_STORE_TILE:], "a tile of the store") + FIRST_STORE_TILE)
        if verb == "deal":
            seat = self.below(MAX_SEATS, "a seat")
            return Deal(seat, self.one_of(_CARDS, "a composition"))
        if verb == "sign":
            return Sign(self.one_of(_SIGNS, "a sign"))
        if verb == "first_seat":
            return FirstSeat(self.below(MAX_SEATS, "a seat"))
        raise MalformedMove(self.text, f"{verb!r} is not a kind of move")


def parse(text: str) -> Move:
    """The move of a text. Raises `MalformedMove`."""
    words = _Words(text)
    move = words.move()
    words.check_end(notation(move))
    return move
