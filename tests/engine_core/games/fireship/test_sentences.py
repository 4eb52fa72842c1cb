"""Sentences of legal moves with what they mean in a position: powers of battles, points of paths."""

from __future__ import annotations

from random import Random

import pytest

from engine_core.games import GAMES
from engine_core.games.fireship import battle
from engine_core.games.fireship.moves import Attack, Sail
from engine_core.games.fireship.state import FireshipState
from tests.conformance.game_setups import GameSetup, random_choice

ENGLISH = GAMES["fireship"].words("en")


@pytest.mark.parametrize("preset", ["rings", "plain"])
def test_attacks_say_their_powers_and_squares_their_points(preset: str) -> None:
    game, found = GAMES["fireship"], {Attack: 0, Sail: 0}
    match, random = GameSetup(game, preset, 3).match(7), Random(7)
    while not match.is_over():
        state: FireshipState = match.state
        for seat in match.to_move():
            view = game.view(state, seat)
            for move in match.legal_moves(seat):
                text = game.sentence_in_view(view, move, ENGLISH)
                if isinstance(move, Attack):
                    attack = battle.declared_attack_power(state, move, state.seats[seat].colour)
                    powers = f"({attack} against {battle.declared_defence_power(state, move)})"
                    assert text == f"{game.sentence(move, ENGLISH)} {powers}"
                    found[Attack] += 1
                elif isinstance(move, Sail):
                    after = state.copy()
                    game.apply(after, seat, move)
                    points = f"({state.points - after.points} of {state.points} points)"
                    assert text == f"{game.sentence(move, ENGLISH)} {points}"
                    found[Sail] += 1
                else:
                    assert not text
        match.play(*random_choice(match, random))
    assert min(found.values()) > 10
