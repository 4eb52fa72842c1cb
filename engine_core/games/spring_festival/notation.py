"""The notation of the moves of Spring Festival."""

from __future__ import annotations

from typing import Final

from engine_core.games.spring_festival import moves
from engine_core.games.spring_festival.components import FIRST_STORE_TILE, NO_TILE, PILES, SIGNS, TILE_NAMES
from engine_core.games.spring_festival.compositions import COMPOSITION_NAMES, TURNS, Complete
from engine_core.games.spring_festival.squares import FARTHEST, NO_SQUARE, column, row, square_at
from engine_core.notation import Argument, Form, Notation, OneOf, Tokens, number_argument

COORDINATE: Final = number_argument(-FARTHEST, FARTHEST, "a coordinate")


class SquareArgument(Argument):
    """A square of a display, as `x y`."""

    def write(self, argument: int) -> str:
        return f"{column(argument)} {row(argument)}"

    def read(self, tokens: Tokens) -> int:
        x = COORDINATE.read(tokens)
        return square_at(x, COORDINATE.read(tokens))


class SealedSquareArgument(SquareArgument):
    """A square, or `?` for observers who do not see it."""

    def write(self, argument: int) -> str:
        return "?" if argument == NO_SQUARE else super().write(argument)

    def read(self, tokens: Tokens) -> int:
        return NO_SQUARE if tokens.accept("?") else super().read(tokens)


class LayForm(Form):
    """A start tile and its square, or `?` for observers who see neither."""

    def write(self, arguments: tuple[int, ...]) -> str:
        return "lay ?" if arguments[0] == NO_TILE else super().write(arguments)

    def read(self, tokens: Tokens) -> list[int]:
        return [NO_TILE, NO_SQUARE] if tokens.accept("?") else super().read(tokens)


SQUARE: Final = SquareArgument()
PILE: Final = number_argument(0, PILES - 1, "a pile")
SEAT: Final = number_argument(0, moves.MAX_SEATS - 1, "a seat")
COMPOSITION: Final = OneOf(COMPOSITION_NAMES, "a composition")
START_TILE: Final = OneOf(TILE_NAMES[:FIRST_STORE_TILE], "a start tile")
STORE_TILE: Final = OneOf(TILE_NAMES[FIRST_STORE_TILE:], "a tile of the store", FIRST_STORE_TILE)

NOTATION: Final = Notation(
    "Spring Festival",
    {
        moves.Lay: LayForm("lay {} {}", START_TILE, SQUARE),
        moves.Orient: Form("orient {}", number_argument(0, PILES - 1, "a position")),
        moves.Place: Form("place {}", SealedSquareArgument()),
        Complete: Form("complete {} {} {}", COMPOSITION, SQUARE, number_argument(0, TURNS - 1, "quarter turns")),
        moves.Pass: Form("pass"),
        moves.Launch: Form("launch {}", SQUARE),
        moves.RevealTile: Form("reveal {} {}", PILE, STORE_TILE),
        moves.Deal: Form("deal {} {}", SEAT, COMPOSITION),
        moves.SignDraw: Form("sign {}", OneOf(SIGNS, "a sign")),
        moves.FirstSeat: Form("first_seat {}", SEAT),
    },
)
