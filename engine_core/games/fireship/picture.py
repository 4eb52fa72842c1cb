"""The picture of a position of Fireship, and the parts of it that a move names.

A move at sea begins with what it is about: the pawn that goes, the island or the pawns that are attacked, the own
island that gets a ring. +1 cards come before what they are for, so that no attack is the beginning of another one.
Only rings can have equal parts, four at most: those whose boats are on the same squares and differ in their marks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from engine_core.game import Move
from engine_core.games.fireship import components, moves
from engine_core.games.fireship.drawing import hand, sea, seats
from engine_core.games.fireship.drawing.facts import observer_of
from engine_core.games.fireship.drawing.header import draw_header
from engine_core.games.fireship.drawing.marks import draw_marks
from engine_core.games.fireship.drawing.pawns import fleet_part, pawn_part
from engine_core.games.fireship.drawing.piles import draw_piles
from engine_core.games.fireship.drawing.sheet import EDGE, GAP, FireshipSheet
from engine_core.games.fireship.state import NO_SEAT
from engine_core.games.fireship.view import FireshipView
from engine_core.pictures import Setting

_BUTTONS: Final = sea.BOTTOM + GAP
_HAND: Final = _BUTTONS + hand.BUTTON_HEIGHT + GAP
_SEATS: Final = _HAND + hand.CARD_HEIGHT + GAP


def draw(view: FireshipView, setting: Setting) -> str:
    """The picture of a position as an SVG document; a seat sees its hand and buttons, too."""
    observer = observer_of(view)
    top = _BUTTONS if observer == NO_SEAT else _SEATS
    sheet = FireshipSheet(view, setting, top + seats.HEIGHT + EDGE)
    sea.draw_sea(sheet)
    draw_marks(sheet)
    # Icons of the panels are stroked alike.
    sheet.drawing.begin({"stroke-width": 3, "stroke-linecap": "round", "stroke-linejoin": "round"})
    draw_header(sheet)
    draw_piles(sheet)
    if observer != NO_SEAT:
        hand.draw_buttons(sheet, observer, _BUTTONS)
        hand.draw_hand(sheet, observer, _HAND)
    seats.draw_seats(sheet, top)
    sheet.end()
    return sheet.drawing.svg()


_ANSWERS: Final = [
    "",
    hand.PASS,
    hand.PASS_TURN,
    hand.card_part("no"),
    hand.card_part("plus_one"),
    hand.ANTI_SKULL,
]
"""What is clicked for each answer, by its number."""
_HASTENING: Final = {components.UPDRAFT: "updraft", components.GULF_STREAM: "gulf_stream"}


def _source(source: int, card: str) -> str:
    return hand.card_part(card) if source == moves.HAND else hand.badge_part(card)


def _boum(move: moves.Boum) -> list[str]:
    return [_source(move.source, "boum"), fleet_part(move.owner, move.square)]


def _fog(move: moves.Fog) -> list[str]:
    return [_source(move.source, "fog")]


def _hasten(move: moves.Hasten) -> list[str]:
    return [_source(move.source, _HASTENING[move.card]), pawn_part(move.pawn)]


def _throw(move: moves.Throw) -> list[str]:
    return [hand.THROW]


def _choose_pawn(move: moves.ChoosePawn) -> list[str]:
    return [pawn_part(move.pawn)]


def _sail(move: moves.Sail) -> list[str]:
    return [sea.square_part(move.to)]


def _fortify(move: moves.Fortify) -> list[str]:
    # Squares, not pawns: the choice of a pawn is then no part of a ring, and needs no second click in any order.
    squares = [sea.square_part(boat // moves.CLASSES) for boat in (move.first, move.second)]
    return [sea.island_part(move.island), *squares]


def _attack(move: moves.Attack) -> list[str]:
    target = fleet_part(move.owner, move.square) if move.island == moves.NO_ISLAND else sea.island_part(move.island)
    return [*[hand.card_part("plus_one")] * move.plus_ones, target, sea.square_part(move.start)]


def _use_square(move: moves.UseSquare) -> list[str]:
    return [hand.use_part(move.square)]


def _lose(move: moves.Lose) -> list[str]:
    return [sea.square_part(move.square)]


def _end_turn(move: moves.EndTurn) -> list[str]:
    return [hand.END_TURN]


def _answer(move: moves.Answer) -> list[str]:
    return [_ANSWERS[move.answer]]


_PARTS: Final[dict[type[Move], Callable[[Any], list[str]]]] = {
    moves.Boum: _boum,
    moves.Fog: _fog,
    moves.Hasten: _hasten,
    moves.Throw: _throw,
    moves.ChoosePawn: _choose_pawn,
    moves.Sail: _sail,
    moves.Fortify: _fortify,
    moves.Attack: _attack,
    moves.UseSquare: _use_square,
    moves.Lose: _lose,
    moves.EndTurn: _end_turn,
    moves.Answer: _answer,
}
"""The parts of a move, by its class."""


def parts(move: Move) -> tuple[str, ...]:
    """The ids of what a person clicks to make a move, in the order of clicks; none for moves of nature."""
    parts_of = _PARTS.get(type(move))
    return tuple(parts_of(move)) if parts_of is not None else ()
