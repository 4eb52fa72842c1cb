"""The moves of Fireship, with tables of prebuilt moves for those that are often legal.

A pawn is named by kind, square and marks (FS-115), packed into one number: square, kind, *arrived*, *fast*.
"""

from __future__ import annotations

from typing import Final

from engine_core.game import Move
from engine_core.games.fireship.board import NEARBY_ISLANDS, NEARBY_SQUARES, SQUARES, Paths, paths_from
from engine_core.games.fireship.components import (
    CARD_COUNTS,
    CARD_KINDS,
    FACES,
    GULF_STREAM,
    PLANE,
    PLUS_ONE,
    SECTORS,
    UPDRAFT,
    WHITE,
)

HIDDEN: Final = -1
"""A card or an answer in a concealed move."""

# Sources of a played card.
HAND: Final = 0
BADGE: Final = 1
SOURCES: Final[list[str]] = ["hand", "badge"]

# Answers.
PASS: Final = 1
PASS_TURN: Final = 2
SAY_NO: Final = 3
ADD_ONE: Final = 4
ANTI_SKULL: Final = 5
ANSWER_NAMES: Final[list[str]] = ["pass", "pass_turn", "no", "plus_one", "anti_skull"]
"""From 1; 0 stands for none."""

NO_ISLAND: Final = -1

FAST: Final = 1
ARRIVED: Final = 2
MARKS: Final = 4
CLASSES: Final = 16


def pawn_code(square: int, kind: int, arrived: bool = False, fast: bool = False) -> int:
    """Pack a pawn into one number: square * 16 + kind * 4 + arrived * 2 + fast."""
    return square * CLASSES + kind * MARKS + (ARRIVED if arrived else 0) + (FAST if fast else 0)


def kind_of(pawn: int) -> int:
    """The kind of a packed pawn."""
    return pawn % CLASSES // MARKS


def paths_of(pawn: int) -> Paths:
    """The shortest paths of a packed pawn from its square."""
    return paths_from(pawn // CLASSES, kind_of(pawn) == PLANE)


class Boum(Move):
    """Play a Boum on a boat of another colour, or white."""

    def __init__(self, source: int, owner: int, square: int) -> None:
        super().__init__(source, owner, square)
        self.source: Final = source
        self.owner: Final = owner
        self.square: Final = square


class Fog(Move):
    """Play a fog."""

    def __init__(self, source: int) -> None:
        super().__init__(source)
        self.source: Final = source


class Hasten(Move):
    """Make a pawn fast: a plane by an updraft, a boat or battleship by a Gulf Stream."""

    def __init__(self, source: int, pawn: int) -> None:
        super().__init__(source, pawn)
        self.source: Final = source
        self.pawn: Final = pawn
        self.card: Final = UPDRAFT if kind_of(pawn) == PLANE else GULF_STREAM


class Throw(Move):
    """Throw the dice."""


class ChoosePawn(Move):
    """Choose a pawn to sail."""

    def __init__(self, pawn: int) -> None:
        super().__init__(pawn)
        self.pawn: Final = pawn


class Sail(Move):
    """Sail the chosen pawn to a square."""

    def __init__(self, to: int) -> None:
        super().__init__(to)
        self.to: Final = to


class Fortify(Move):
    """Give two boats, the lesser code first, for a ring of an island."""

    def __init__(self, island: int, first: int, second: int) -> None:
        super().__init__(island, first, second)
        self.island: Final = island
        self.first: Final = first
        self.second: Final = second


class Attack(Move):
    """Attack an island, or with `NO_ISLAND` a pawn of an owner on a square, with a number of +1 cards."""

    def __init__(self, start: int, island: int, owner: int, square: int, plus_ones: int) -> None:
        super().__init__(start, island, owner, square, plus_ones)
        self.start: Final = start
        self.island: Final = island
        self.owner: Final = owner
        self.square: Final = square
        self.plus_ones: Final = plus_ones


class UseSquare(Move):
    """Use the special square that a pawn has come to this turn."""

    def __init__(self, square: int) -> None:
        super().__init__(square)
        self.square: Final = square


class Lose(Move):
    """Give up a pawn."""

    def __init__(self, kind: int, square: int) -> None:
        super().__init__(kind, square)
        self.kind: Final = kind
        self.square: Final = square


class EndTurn(Move):
    """End the turn."""


class Answer(Move):
    """Answer a response window, or the skull of the battleship square."""

    def __init__(self, answer: int) -> None:
        super().__init__(answer)
        self.answer: Final = answer


class Die(Move):
    """Nature rolls a die; 0 is the skull."""

    def __init__(self, face: int) -> None:
        super().__init__(face)
        self.face: Final = face


class Sector(Move):
    """Nature turns the wheel to a sector, from 1."""

    def __init__(self, sector: int) -> None:
        super().__init__(sector)
        self.sector: Final = sector


class Card(Move):
    """Nature gives the active seat a mystery card."""

    def __init__(self, card: int) -> None:
        super().__init__(card)
        self.card: Final = card


class TimeUp(Move):
    """Nature says that the time of the match is over."""


_EVERY: Final = range(SQUARES)

FOGS: Final = [Fog(source) for source in range(2)]
THROW: Final = Throw()
SAILS: Final = [Sail(to) for to in _EVERY]
USE_SQUARES: Final = [UseSquare(square) for square in _EVERY]
LOSSES: Final = [[Lose(kind, square) for square in _EVERY] for kind in range(2)]
END_TURN: Final = EndTurn()
ANSWERS: Final = [Answer(answer) for answer in range(len(ANSWER_NAMES) + 1)]
DICE: Final = [Die(face) for face in FACES]
SECTOR_DRAWS: Final = [Sector(sector) for sector in range(1, len(SECTORS) + 1)]
CARD_DRAWS: Final = [Card(card) for card in range(CARD_KINDS)]
TIME_UP: Final = TimeUp()
SEALED_ANSWER: Final = Answer(HIDDEN)
HIDDEN_CARD: Final = Card(HIDDEN)

_PAWNS: Final = SQUARES * CLASSES
_CHOICES: Final[list[Move | None]] = [None] * _PAWNS
_HASTENED: Final[list[list[Move | None]]] = [[None] * _PAWNS, [None] * _PAWNS]
_BOUMS: Final[list[list[Move | None]]] = [[None] * (SQUARES * (WHITE + 1)) for _ in range(2)]
"""Cache of Boum moves, filled on first use: there are thousands, of which a match has few."""
_SPENT: Final = CARD_COUNTS[PLUS_ONE] + 1
"""How many numbers of +1 cards an attack may have."""
_ATTACKS_ON_ISLANDS: Final[list[list[Move | None]]] = [[None] * (len(near) * _SPENT) for near in NEARBY_ISLANDS]
_ATTACKS_ON_PAWNS: Final[list[list[Move | None]]] = [
    [None] * (len(near) * (WHITE + 1) * _SPENT) for near in NEARBY_SQUARES
]
"""Caches of attacks by start, filled on first use."""


def choose_pawn_move(pawn: int) -> Move:
    """The move that chooses a pawn."""
    move = _CHOICES[pawn]
    if move is None:
        move = _CHOICES[pawn] = ChoosePawn(pawn)
    return move


def hasten_move(source: int, pawn: int) -> Move:
    """The move that makes a pawn fast."""
    move = _HASTENED[source][pawn]
    if move is None:
        move = _HASTENED[source][pawn] = Hasten(source, pawn)
    return move


def attack_on_island(start: int, near: int, spent: int) -> Move:
    """The attack on an island by its place in `NEARBY_ISLANDS` of the start, with a number of +1 cards."""
    attacks = _ATTACKS_ON_ISLANDS[start]
    number = near * _SPENT + spent
    move = attacks[number]
    if move is None:
        move = attacks[number] = Attack(start, NEARBY_ISLANDS[start][near], 0, 0, spent)
    return move


def attack_on_pawn(start: int, near: int, owner: int, spent: int) -> Move:
    """The attack on a pawn of an owner on a square, by its place in `NEARBY_SQUARES` of the start."""
    attacks = _ATTACKS_ON_PAWNS[start]
    number = (near * (WHITE + 1) + owner) * _SPENT + spent
    move = attacks[number]
    if move is None:
        move = attacks[number] = Attack(start, NO_ISLAND, owner, NEARBY_SQUARES[start][near], spent)
    return move


def boum_move(source: int, owner: int, square: int) -> Move:
    """The move that sinks a boat of a colour."""
    move = _BOUMS[source][owner * SQUARES + square]
    if move is None:
        move = _BOUMS[source][owner * SQUARES + square] = Boum(source, owner, square)
    return move
