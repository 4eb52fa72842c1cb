"""Spring Festival: the notation of moves, as the rulings give it."""

from __future__ import annotations

import pytest

from engine_core.errors import MalformedMove
from tests.engine_core.games.spring_festival.positions import GAME, position_after_start_tiles

NOTATIONS = [
    "lay S1-3 0 -1",
    "lay S4-4 15 -15",
    "lay ?",
    "orient 0",
    "orient 3",
    "place 2 -1",
    "place 0 0",
    "place ?",
    "complete C12 0 1 3",
    "complete P36 -4 -4 0",
    "pass",
    "launch -1 0",
    "reveal 3 T13",
    "deal 0 C12",
    "deal 3 P01",
    "sign goat",
    "sign horse",
    "first_seat 2",
]


@pytest.mark.parametrize("text", NOTATIONS)
def test_notation_and_parse_are_inverse(text: str) -> None:
    assert GAME.notation(GAME.parse(text)) == text
    assert GAME.parse(text) == GAME.parse(text)


def test_different_texts_are_different_moves() -> None:
    assert len({GAME.parse(text) for text in NOTATIONS}) == len(NOTATIONS)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "lay",
        "lay S1-5 0 0",
        "lay T01 0 0",
        "lay S1-1 0",
        "lay S1-1 16 0",
        "lay ? 0 0",
        "lay S1-1 ?",
        "orient 4",
        "orient -1",
        "orient +1",
        "place 1",
        "place 1 2 3",
        "place -16 0",
        "place -0 0",
        "place 01 0",
        "place 1.0 0",
        "place ? ?",
        "complete C37 0 0 0",
        "complete C12 0 0",
        "complete C12 0 0 4",
        "pass 1",
        "launch ?",
        "reveal 4 T01",
        "reveal 0 S1-1",
        "reveal 0 ?",
        "deal 4 C01",
        "deal 0 ?",
        "sign cat",
        "sign none",
        "first_seat 4",
        "first 1",
        "place \u0661 0",
        "complete " + "C12 " * 40,
    ],
)
def test_an_invalid_notation_is_refused(text: str) -> None:
    with pytest.raises(MalformedMove):
        GAME.parse(text)


def test_a_concealed_move_is_never_legal() -> None:
    position = position_after_start_tiles(2).play("orient 0").play_draws()
    legal = GAME.legal_moves(position.state, 0)
    assert GAME.parse("place ?") not in legal
    assert GAME.parse("lay ?") not in legal
