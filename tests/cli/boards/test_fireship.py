"""The terminal board of Fireship shows what a person needs to follow a match."""

from __future__ import annotations

from io import StringIO

import pytest
from fireside.fireship.v1.fireship_service_pb2 import GetMatchResponse
from google.protobuf.json_format import MessageToDict
from rich.console import Console

from cli.boards import fireship
from engine_core.games.fireship.components import ROWS
from engine_core.match import Match
from services.engine.codecs.fireship import FireshipCodec
from services.engine.responses import INLINE, Responses, repeated_field
from tests.engine_core.games.fireship.positions import GAME, Position, new_position

RESPONSES = Responses(FireshipCodec())


def drawn_lines(position: Position, observer: int = -2) -> list[str]:
    """The lines that a terminal without colours shows."""
    match = RESPONSES.match(Match(GAME, position.state, None), observer, INLINE)
    console = Console(file=StringIO(), width=120)
    console.print(fireship.draw(MessageToDict(GetMatchResponse.FromString(repeated_field([match])).match)))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue().splitlines()


def board_row(lines: list[str], number: int) -> str:
    return next(line for line in lines if line.startswith(f"{number:3}  "))


def test_the_drawn_board_is_that_of_the_rules() -> None:
    assert list(fireship.BOARD) == ROWS


def test_the_board_shows_pawns_and_other_contents_of_a_square() -> None:
    lines = drawn_lines(new_position({"green": "boat f2 arrived, plane f2, 3 boat a1", "red": "2 battleship h1"}))
    assert board_row(lines, 1).split() == [
        "1",
        "a1",
        "3b",
        "·",
        "·",
        "·",
        "·",
        "·",
        "OBB",
        "·",
        "·",
        "·",
        "·",
        "·",
        "o1",
        "0b",
    ]
    assert "?bp" in board_row(lines, 2)


def test_the_rings_of_an_island_are_shown_once() -> None:
    lines = drawn_lines(new_position({"green": "boat a1"}, islands={4: "green 2"}))
    assert "4°°" in board_row(lines, 7)
    assert "°" not in board_row(lines, 8)


def test_the_board_shows_a_declared_attack_and_the_points_left() -> None:
    position = new_position({"green": "battleship e5", "red": "boat f5"}, hands=["", "no fog"], dice=(6, 0))
    lines = drawn_lines(position.play("attack e5: red f5"))
    assert "seat 0: Attack red on f5 from e5 (to be answered)" in lines
    assert "attack 4 against defence 1" in lines
    assert any("dice: 6 skull, points left: 6" in line for line in lines)


@pytest.mark.parametrize(("observer", "shown"), [(1, "1 Non, 1 Fog"), (0, "2 secret"), (-2, "2 secret")])
def test_a_hand_is_shown_to_its_owner_only(observer: int, shown: str) -> None:
    lines = drawn_lines(new_position({"green": "boat a1", "red": "boat f5"}, hands=["", "no fog"]), observer)
    assert any(shown in line for line in lines)
    assert any("1 Non, 1 Fog" in line for line in lines) == (observer == 1)
