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
    console = Console(file=StringIO(), width=120)
    console.print(fireship.draw(as_json(position, observer)))
    assert isinstance(console.file, StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def as_json(position: Position, observer: int) -> dict[str, object]:
    """A match at the position in JSON, as REST sends it to an observer."""
    match = RESPONSES.match(Match(GAME, position.state, None), observer, INLINE)
    return MessageToDict(GetMatchResponse.FromString(repeated_field([match])).match)


def board_row(lines: list[str], number: int) -> str:
    return next(line for line in lines if line.startswith(f"{number:3}  "))


def test_the_drawn_board_is_that_of_the_rules() -> None:
    assert list(fireship.BOARD) == ROWS


def test_the_board_shows_pawns_with_their_owners_and_other_contents_of_a_square() -> None:
    lines = drawn_lines(new_position({"green": "boat f2 arrived, plane f2, 3 boat a1", "red": "2 battleship h1"}))
    assert board_row(lines, 1) == "  1  Ga1  3b   ·    ·    ·    ·    ·    ORss ·    ·    ·    ·    ·    Bo1  0b"
    assert "?GbGp" in board_row(lines, 2)


def test_the_owner_and_the_rings_of_an_island_are_shown() -> None:
    lines = drawn_lines(new_position({"green": "boat a1"}, islands={4: "green 2"}))
    assert "4G°°" in board_row(lines, 7)
    assert "4G   4G" in board_row(lines, 8)
    assert "1W" in board_row(lines, 3)


def test_the_legend_names_owners_kinds_and_squares() -> None:
    position = new_position({"green": "boat a1"})
    shown = str(fireship.legend(as_json(position, -2)))
    assert "b boat 1, p plane 2, s battleship 4" in shown
    assert "G green, B blue, R red, Y yellow, W white" in shown
    assert "O wheel square, C battleship square, ? mystery square" in shown
    assert "power 2, and 3 more for each ring" in shown


def test_no_line_is_wider_than_a_terminal_of_80_columns() -> None:
    lines = drawn_lines(new_position({"green": "boat o13, plane o13", "red": "2 battleship h1"}))
    assert max(len(board_row(lines, row)) for row in range(1, len(ROWS) + 1)) <= 80


def test_the_board_shows_a_declared_attack_and_the_points_left() -> None:
    position = new_position({"green": "battleship e5", "red": "boat f5"}, hands=["", "no fog"], dice=(6, 0))
    lines = drawn_lines(position.play("attack e5: red f5"))
    assert "seat 1: Attack red on f5 from e5 (to be answered)" in lines
    assert "attack 4 against defence 1" in lines
    assert any("dice: 6 skull, points left: 6" in line for line in lines)


@pytest.mark.parametrize(("observer", "shown"), [(1, "1 Non, 1 Fog"), (0, "2 secret"), (-2, "2 secret")])
def test_a_hand_is_shown_to_its_owner_only(observer: int, shown: str) -> None:
    lines = drawn_lines(new_position({"green": "boat a1", "red": "boat f5"}, hands=["", "no fog"]), observer)
    assert any(shown in line for line in lines)
    assert any("1 Non, 1 Fog" in line for line in lines) == (observer == 1)
