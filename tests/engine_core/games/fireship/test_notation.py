"""Fireship: the notation of moves (FS-115, FS-117)."""

from __future__ import annotations

import pytest

from engine_core.errors import MalformedMove
from engine_core.games.fireship.moves import Attack, Fortify
from tests.engine_core.games.fireship.positions import GAME, new_position

NOTATIONS = [
    "play_card boum hand: white e4",
    "play_card boum badge: blue o8",
    "play_card fog badge",
    "play_card updraft hand: plane a1",
    "play_card gulf_stream badge: battleship h10",
    "throw",
    "choose_pawn plane f2 arrived fast",
    "choose_pawn boat o15",
    "sail h1",
    "fortify 9: k12 l14 arrived",
    "attack e5: island 1 +2",
    "attack e5: red e4",
    "use_square h1",
    "lose plane a15",
    "end_turn",
    "pass",
    "pass_turn",
    "no",
    "plus_one",
    "anti_skull",
    "answer ?",
    "die skull",
    "die 6",
    "sector 12",
    "card bermuda",
    "card ?",
    "time_up",
]


@pytest.mark.parametrize("text", NOTATIONS)
def test_each_text_is_the_notation_of_its_move(text: str) -> None:
    assert GAME.notation(GAME.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "sail",
        "sail a1",
        "sail c3",
        "sail p1",
        "sail h1 h2",
        "choose_pawn boat b1",
        "choose_pawn ship h1",
        "attack e5: island 0",
        "attack e5: island 10",
        "attack e5: red e4 +0",
        "attack e5: red e4 +8",
        "attack e5 red e4",
        "attack a1: red e4",
        "lose battleship e5",
        "play_card no hand",
        "play_card updraft hand: boat e5",
        "play_card gulf_stream badge: plane e5",
        "die 1",
        "die 0",
        "sector 0",
        "sector 13",
        "answer no",
        "card gulf_stream",
        "x" * 200,
    ],
)
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(MalformedMove):
        GAME.parse(text)


def test_equal_moves_are_equal_and_have_equal_hashes() -> None:
    for text in NOTATIONS:
        assert GAME.parse(text) == GAME.parse(text)
        assert hash(GAME.parse(text)) == hash(GAME.parse(text))
    assert len({GAME.parse(text) for text in NOTATIONS}) == len(NOTATIONS)
    assert Attack(3, 1, 0, 0, 0) != Attack(3, 1, 0, 0, 1)
    assert Fortify(1, 2, 3) != Fortify(1, 2, 4)
    assert Fortify(1, 2, 3) != Attack(1, 2, 3, 0, 0)


def test_fs115_pawns_that_are_alike_are_one_choice() -> None:
    position = new_position({"green": "3 boat a1, 2 boat e5, boat f2, boat f2 arrived"}, dice=(6, 6))
    assert position.moves_starting("choose_pawn") == [
        "choose_pawn boat a1",
        "choose_pawn boat f2",
        "choose_pawn boat f2 arrived",
        "choose_pawn boat e5",
    ]


def test_fs115_views_count_pawns_by_owner_kind_square_and_marks() -> None:
    view = new_position({"green": "3 boat a1, 2 boat e5, boat f2 arrived"}, dice=(6, 6)).view(-2)
    assert [(group.owner, group.count) for group in view.pawns if group.owner == 0] == [(0, 3), (0, 1), (0, 2)]
