"""Sentences of legal moves with what they mean in a position: the tile that is covered, the tile that one gets."""

from __future__ import annotations

from random import Random

from engine_core.games import GAMES
from engine_core.games.spring_festival.components import TILES
from engine_core.games.spring_festival.moves import PlaceTile, RotateStore
from tests.conformance.game_setups import GameSetup, random_choice

GAME = GAMES["spring_festival"]
ENGLISH = GAME.words("en")


def test_placements_say_what_they_cover_and_turns_which_tile_one_gets() -> None:
    match, random = GameSetup(GAME, "base", 3).match(5), Random(5)
    found = {"over": 0, "free": 0, "you get": 0}
    while not match.is_over():
        for seat in match.to_move():
            view, display = GAME.view(match.state, seat), match.state.seats[seat].display
            for move in match.legal_moves(seat):
                text = GAME.sentence_in_view(view, move, ENGLISH)
                if isinstance(move, PlaceTile):
                    covered = move.square in display.squares
                    assert covered == bool(text)
                    if covered:
                        tile = TILES[display.tiles[display.squares.index(move.square)]]
                        assert tile.name in text.partition("over")[2]
                    found["over" if covered else "free"] += 1
                elif isinstance(move, RotateStore) and text:
                    after = match.state.copy()
                    GAME.apply(after, seat, move)
                    assert TILES[after.seats[seat].tile].name in text.partition("you get")[2]
                    found["you get"] += 1
        match.play(*random_choice(match, random))
    assert min(found.values()) > 0
