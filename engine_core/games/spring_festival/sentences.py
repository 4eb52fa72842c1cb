"""Legal moves of Spring Festival as sentences with the tile that the observer covers or receives."""

from __future__ import annotations

from engine_core.game import Move
from engine_core.games.spring_festival import moves
from engine_core.games.spring_festival.components import ARMS, NO_TILE, PILES
from engine_core.games.spring_festival.notation import PILE, SQUARE, TILE
from engine_core.games.spring_festival.view import SpringFestivalView
from engine_core.words import Words


def sentence(view: SpringFestivalView, move: Move, words: Words) -> str:
    """The sentence of a placement over a tile, or of a turn of the store; empty for other moves."""
    if isinstance(move, moves.PlaceTile):
        display = view.seats[view.observer].display
        if move.square in display.squares:
            covered = display.tiles[display.squares.index(move.square)]
            return words.sentence("place_tile_over", SQUARE.name(move.square, words), TILE.name(covered, words))
    if isinstance(move, moves.RotateStore):
        tile = view.top_tiles[(move.offset + ARMS[len(view.seats)][view.observer]) % PILES]
        if tile != NO_TILE:
            return words.sentence(
                "rotate_store_tile", PILE.name(move.offset, words), words.player(0), TILE.name(tile, words)
            )
    return ""
