"""The notation of the moves of Spring Festival."""

from __future__ import annotations

from typing import Final

from engine_core.games.spring_festival import moves
from engine_core.games.spring_festival.components import (
    COLOURS,
    FIRST_STORE_TILE,
    NO_TILE,
    PILES,
    SIGNS,
    TILE_NAMES,
    TILES,
)
from engine_core.games.spring_festival.compositions import COMPOSITION_NAMES, COMPOSITIONS, KINDS, TURNS, Complete
from engine_core.games.spring_festival.squares import FARTHEST, NO_SQUARE, column, row, square_at
from engine_core.notation import Argument, Form, Notation, OneOf, SeatArgument, Tokens, number_argument
from engine_core.words import Words

COORDINATE: Final = number_argument(-FARTHEST, FARTHEST, "a coordinate")


class SquareArgument(Argument):
    """A square of a display, as `x y`."""

    def write(self, argument: int) -> str:
        return f"{column(argument)} {row(argument)}"

    def read(self, tokens: Tokens) -> int:
        x = COORDINATE.read(tokens)
        return square_at(x, COORDINATE.read(tokens))

    def name(self, argument: int, words: Words) -> str:
        return f"({column(argument)}, {row(argument)})"


class SealedSquareArgument(SquareArgument):
    """A square, or `?` for observers who do not see it."""

    def write(self, argument: int) -> str:
        return "?" if argument == NO_SQUARE else super().write(argument)

    def read(self, tokens: Tokens) -> int:
        return NO_SQUARE if tokens.accept("?") else super().read(tokens)


class TileArgument(OneOf):
    """A tile, in sentences also with its colour and number."""

    def name(self, argument: int, words: Words) -> str:
        tile = TILES[argument]
        explosions = words.several("thing", "explosion", tile.number)
        return words.one("tile", COLOURS[tile.colour]).format(explosions, tile.name)


class CompositionArgument(OneOf):
    """A composition card, in sentences also with its kind and points."""

    def name(self, argument: int, words: Words) -> str:
        card = COMPOSITIONS[argument]
        points = words.several("thing", "point", card.points)
        return words.one("composition", KINDS[card.kind]).format(card.name, points)


class TurnsArgument(OneOf):
    """Quarter turns of a picture."""

    def name(self, argument: int, words: Words) -> str:
        return words.several("thing", "quarter_turn", argument) if argument else ""


class LayStartTileForm(Form):
    """A start tile and its square, or `?` for observers who see neither."""

    def write(self, arguments: tuple[int, ...]) -> str:
        return "lay ?" if arguments[0] == NO_TILE else super().write(arguments)

    def read(self, tokens: Tokens) -> list[int]:
        return [NO_TILE, NO_SQUARE] if tokens.accept("?") else super().read(tokens)

    def sentence(self, key: str, arguments: tuple[int, ...], words: Words) -> str:
        return (
            words.sentence("lay_start_tile_sealed")
            if arguments[0] == NO_TILE
            else super().sentence(key, arguments, words)
        )


class PlaceTileForm(Form):
    """A square, or `?`: two sentences."""

    def sentence(self, key: str, arguments: tuple[int, ...], words: Words) -> str:
        return (
            words.sentence("place_tile_sealed")
            if arguments[0] == NO_SQUARE
            else super().sentence(key, arguments, words)
        )


class RotateStoreForm(Form):
    """A turn of the store: which pile comes to the first seat."""

    def sentence(self, key: str, arguments: tuple[int, ...], words: Words) -> str:
        return words.sentence(key, PILE.name(arguments[0], words), words.player(0))


class CompleteForm(Form):
    """A completion, with the picture turned or not: two sentences."""

    def sentence(self, key: str, arguments: tuple[int, ...], words: Words) -> str:
        return super().sentence("complete_turned" if arguments[2] else key, arguments, words)


class PileArgument(OneOf):
    """A pile of the store: its number from 0, and in sentences from 1, as people count."""

    def name(self, argument: int, words: Words) -> str:
        return str(argument + 1)


SQUARE: Final = SquareArgument()
PILE: Final = PileArgument([str(pile) for pile in range(PILES)], f"a pile from 0 to {PILES - 1}")
SEAT: Final = SeatArgument(moves.MAX_SEATS)
COMPOSITION: Final = CompositionArgument(COMPOSITION_NAMES, "a composition")
QUARTER_TURNS: Final = TurnsArgument([str(turns) for turns in range(TURNS)], f"quarter turns from 0 to {TURNS - 1}")
TILE: Final = TileArgument(TILE_NAMES, "a tile")
START_TILE: Final = TileArgument(TILE_NAMES[:FIRST_STORE_TILE], "a start tile")
STORE_TILE: Final = TileArgument(TILE_NAMES[FIRST_STORE_TILE:], "a tile of the store", FIRST_STORE_TILE)

NOTATION: Final = Notation(
    "Spring Festival",
    {
        moves.LayStartTile: LayStartTileForm("lay {} {}", START_TILE, SQUARE),
        moves.RotateStore: RotateStoreForm("orient {}", PILE),
        moves.PlaceTile: PlaceTileForm("place {}", SealedSquareArgument()),
        Complete: CompleteForm("complete {} {} {}", COMPOSITION, SQUARE, QUARTER_TURNS),
        moves.Pass: Form("pass"),
        moves.Launch: Form("launch {}", SQUARE),
        moves.RevealTile: Form("reveal {} {}", PILE, STORE_TILE),
        moves.Deal: Form("deal {} {}", SEAT, COMPOSITION),
        moves.DrawSign: Form("sign {}", OneOf(SIGNS, "a sign", kind="sign")),
        moves.DrawFirstSeat: Form("first_seat {}", SEAT),
    },
)
