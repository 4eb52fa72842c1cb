"""Fire Bulls: the notation of moves, as the rulings give it."""

from __future__ import annotations

import pytest

from engine_core.errors import MalformedMove
from tests.engine_core.games.fire_bulls.positions import GAME

NOTATIONS = [
    "take red",
    "draw",
    "step 3",
    "attack 2: blue blue warrior",
    "general: blue blue blue red red red red",
    "capture: blue",
    "stop",
    "power yes",
    "power no",
    "price wu-red",
    "price fortification",
    "release green",
    "pass",
    "yen 1 bo",
    "place 0 4",
    "qi 0 red",
    "qi 0 ?",
    "qi reserve warrior",
    "pick 2 red",
    "pick 2 ?",
    "first 1",
]


@pytest.mark.parametrize("text", NOTATIONS)
def test_notation_and_parse_are_inverse(text: str) -> None:
    assert GAME.notation(GAME.parse(text)) == text


def test_different_texts_are_different_moves() -> None:
    assert len({GAME.parse(text) for text in NOTATIONS}) == len(NOTATIONS)


@pytest.mark.parametrize("text", NOTATIONS)
def test_equal_texts_are_equal_moves(text: str) -> None:
    assert GAME.parse(text) == GAME.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "take",
        "take pink",
        "take red red",
        "step 0",
        "step 6",
        "step +3",
        "attack 2 blue",
        "attack 6: blue",
        "attack 2:",
        "general:",
        "capture blue",
        "capture: ?",
        "stop now",
        "power maybe",
        "price wu",
        "price soldier-white",
        "release ?",
        "yen 4 bo",
        "yen 0 bo",
        "place 5 1",
        "qi 5 red",
        "qi -1 red",
        "pick reserve red",
        "first 5",
        "passed",
        "take réd",
        "capture: " + "blue " * 40,
    ],
)
def test_an_invalid_notation_is_refused(text: str) -> None:
    with pytest.raises(MalformedMove):
        GAME.parse(text)
