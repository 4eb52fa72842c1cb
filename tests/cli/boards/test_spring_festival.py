"""The terminal board of Spring Festival shows what a person needs to choose a move."""

from __future__ import annotations

import re

from engine_core.chance import Luck
from engine_core.game import SPECTATOR
from engine_core.games import GAMES
from engine_core.games.spring_festival.state import SpringFestivalOptions
from engine_core.match import AnyMatch, Match
from tests.cli.boards.drawn import board_text, legend_text

GAME = GAMES["spring_festival"]


def new_match(seats: int = 2, sign: str = "none") -> AnyMatch:
    match: AnyMatch = Match(GAME, GAME.start(seats, SpringFestivalOptions(sign, first_seat=0)), Luck(bytes(32), []))
    match.begin()
    return match


def play_first_moves(match: AnyMatch, kind: str) -> None:
    """Make the first legal move of each seat while its kind is that of the argument."""
    while (seat := match.to_move()[0]) >= 0 and _first_move(match, seat).startswith(kind):
        match.play(seat, match.legal_moves(seat)[0])


def _first_move(match: AnyMatch, seat: int) -> str:
    return GAME.notation(match.legal_moves(seat)[0])


def test_the_start_tiles_to_lay_are_drawn_for_their_owner_only() -> None:
    match = new_match()
    assert "start tiles  *R1 →   ←Y2 *   ←G3      B4" in board_text(match, 0)
    assert "S1-1    S1-2    S1-3    S1-4" in board_text(match, 0)
    assert "S2-1" in board_text(match, 1)
    assert "start tiles  " not in board_text(match, SPECTATOR)


def test_each_position_of_the_store_says_which_tile_each_seat_gets() -> None:
    match = new_match(seats=3)
    play_first_moves(match, "lay")
    lines = re.findall(r"orient (\d): (\S+) to 1, (\S+) to 2, (\S+) to 3(.*)", board_text(match, SPECTATOR))
    assert [(offset, bool(rest.strip())) for offset, *_, rest in lines] == [
        ("0", True), ("1", False), ("2", False), ("3", False)
    ]  # fmt: skip
    match.play(0, GAME.parse("orient 2"))
    taken = re.findall(r"tile to place +[^A-Z]([A-Z]\d)", board_text(match, SPECTATOR))
    assert len(set(taken)) > 1
    assert sorted(taken) == sorted(lines[2][1:4])


def test_the_tile_to_place_is_drawn_with_its_arrows_and_sparks() -> None:
    match = new_match()
    play_first_moves(match, "lay")
    match.play(0, GAME.parse("orient 0"))
    tile = GAME.view(match.state, 0).seats[0].tile
    assert tile is not None
    board = board_text(match, 0).splitlines()
    row = next(number for number, line in enumerate(board) if "tile to place" in line)
    left = board[row].index("tile to place") + len("tile to place  ")
    drawn = "".join(line[left : left + 5] for line in board[row - 1 : row + 2])
    assert len(re.findall("[←-↙]", drawn)) + drawn.count("*") == 4


def test_a_composition_is_drawn_with_the_name_that_moves_give_it() -> None:
    match = new_match()
    cards = [card for line in board_text(match, 0).splitlines() for card in re.findall(r"\b([CP]\d\d) \(\d\)", line)]
    assert len(cards) == 8
    assert len(set(cards)) == 8


def test_the_legend_says_what_the_sign_is_worth() -> None:
    assert "Rooster: three points for each tile with three explosions" in legend_text(new_match(sign="rooster"), 0)
    assert "points for" not in legend_text(new_match(), 0)
