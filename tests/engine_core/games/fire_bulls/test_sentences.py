"""Sentences of legal moves with what they mean in a position: the attacked card, whose pawn a step moves."""

from __future__ import annotations

from random import Random

from engine_core.games import GAMES
from engine_core.games.fire_bulls.columns import nearest_square
from engine_core.games.fire_bulls.components import POINT_CARD_NAMES
from engine_core.games.fire_bulls.moves import Attack, Capture, Step
from engine_core.games.fire_bulls.state import FireBullsState
from tests.conformance.game_setups import GameSetup, random_choice

GAME = GAMES["fire_bulls"]
ENGLISH = GAME.words("en").with_players(("Ada", "Eve"))


def expected(state: FireBullsState, move: Attack | Capture | Step, seat: int) -> str:
    """A piece that the sentence of a move must have."""
    if isinstance(move, Step):
        places = [other.place for other in state.seats]
        if places[seat] == move.to:
            return f"Stay in front of line {move.to}"
        return "swap places with" if move.to in places else ""
    square = nearest_square(state.squares, move.direction if isinstance(move, Attack) else state.direction)
    return f" {ENGLISH.one('point_card', POINT_CARD_NAMES[state.squares[square]].replace('-', '_'))}"


def test_attacks_name_the_card_and_steps_who_moves() -> None:
    match, random = GameSetup(GAME, "merged", 2).match(3), Random(3)
    found = {"Stay": 0, "swap": 0, "Attack": 0, "Capture": 0}
    while not match.is_over():
        for seat in match.to_move():
            view = GAME.view(match.state, seat)
            for move in match.legal_moves(seat):
                text = GAME.sentence_in_view(view, move, ENGLISH)
                piece = expected(match.state, move, seat) if isinstance(move, (Attack, Capture, Step)) else ""
                assert piece in text
                assert bool(piece) == bool(text)
                for word in found:
                    found[word] += word in text
        match.play(*random_choice(match, random))
    assert min(found.values()) > 0
