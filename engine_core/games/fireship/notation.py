"""The notation of moves in Fireship: the name of the kind, then squares, pawns and cards in words."""

from __future__ import annotations

from typing import Final

from engine_core.errors import MalformedMove
from engine_core.game import Move
from engine_core.games.fireship.board import BASES, IS_SEA, ISLANDS, NAMES
from engine_core.games.fireship.components import (
    BATTLESHIP,
    BOAT,
    CARDS,
    COLOURS,
    FACES,
    KINDS,
    OWNERS,
    PLANE,
    SECTORS,
)
from engine_core.games.fireship.moves import (
    ANSWERS,
    ARRIVED,
    CLASSES,
    END_TURN,
    FAST,
    HIDDEN,
    NO_ISLAND,
    SAID,
    SEALED,
    SOURCES,
    THROW,
    TIME_UP,
    Answer,
    Attack,
    Boum,
    Card,
    ChoosePawn,
    Die,
    EndTurn,
    Fog,
    Fortify,
    Hasten,
    Lose,
    Sail,
    Sector,
    Throw,
    TimeUp,
    UseSquare,
    kind_of,
    pawn_code,
)
from engine_core.notation import Words

MOST_PLUS_ONES: Final = 7
FACE_NAMES: Final = ["skull" if face == 0 else str(face) for face in FACES]


def _marks(pawn: int) -> str:
    return (" arrived" if pawn & ARRIVED else "") + (" fast" if pawn & FAST else "")


def _pawn(pawn: int) -> str:
    return f"{KINDS[kind_of(pawn)]} {NAMES[pawn // CLASSES]}{_marks(pawn)}"


def _boat(pawn: int) -> str:
    return f"{NAMES[pawn // CLASSES]}{_marks(pawn)}"


def notation(move: Move) -> str:
    """The text of a move."""
    if isinstance(move, ChoosePawn):
        return f"choose_pawn {_pawn(move.pawn)}"
    if isinstance(move, Sail):
        return f"sail {NAMES[move.to]}"
    if isinstance(move, Throw):
        return "throw"
    if isinstance(move, EndTurn):
        return "end_turn"
    if isinstance(move, Attack):
        return _attack(move)
    if isinstance(move, Fortify):
        return f"fortify {move.island + 1}: {_boat(move.first)} {_boat(move.second)}"
    if isinstance(move, UseSquare):
        return f"use_square {NAMES[move.square]}"
    if isinstance(move, Lose):
        return f"lose {KINDS[move.kind]} {NAMES[move.square]}"
    if isinstance(move, Answer):
        return "answer ?" if move.answer == HIDDEN else ANSWERS[move.answer - 1]
    return _card_notation(move)


def _attack(move: Attack) -> str:
    target = f"{OWNERS[move.owner]} {NAMES[move.square]}" if move.island == NO_ISLAND else f"island {move.island + 1}"
    return f"attack {NAMES[move.start]}: {target}" + (f" +{move.plus_ones}" if move.plus_ones else "")


def _card_notation(move: Move) -> str:
    if isinstance(move, Boum):
        return f"play_card boum {SOURCES[move.source]}: {OWNERS[move.owner]} {NAMES[move.square]}"
    if isinstance(move, Fog):
        return f"play_card fog {SOURCES[move.source]}"
    if isinstance(move, Hasten):
        card = "updraft" if kind_of(move.pawn) == PLANE else "gulf_stream"
        return f"play_card {card} {SOURCES[move.source]}: {_pawn(move.pawn)}"
    if isinstance(move, Die):
        return f"die {FACE_NAMES[FACES.index(move.face)]}"
    if isinstance(move, Sector):
        return f"sector {move.sector}"
    if isinstance(move, Card):
        return f"card {'?' if move.card == HIDDEN else CARDS[move.card]}"
    if isinstance(move, TimeUp):
        return "time_up"
    raise TypeError(f"{type(move).__name__} is not a move of Fireship")


class _Words(Words):
    """The words of a notation of this game."""

    def sea(self) -> int:
        square = self.one_of(NAMES, "a square")
        if not IS_SEA[square]:
            raise MalformedMove(self.text, f"{NAMES[square]} is not a square of the sea")
        return square

    def place(self) -> int:
        """A square of the sea, or a base."""
        square = self.one_of(NAMES, "a square")
        if not IS_SEA[square] and square not in BASES:
            raise MalformedMove(self.text, f"{NAMES[square]} is neither a square of the sea nor a base")
        return square

    def kind(self) -> int:
        return self.one_of(KINDS, "a kind of pawn")

    def island(self) -> int:
        return self.one_of([str(number) for number in range(1, ISLANDS + 1)], "an island from 1 to 9")

    def source(self) -> int:
        return self.one_of(SOURCES, "hand or badge")

    def owner(self) -> int:
        return self.one_of(OWNERS, f"one of {', '.join(COLOURS)} and white")

    def marked(self, square: int, kind: int) -> int:
        fast = self.has("fast")
        arrived = self.has("arrived")
        return pawn_code(square, kind, arrived, fast or self.has("fast"))

    def pawn(self) -> int:
        kind = self.kind()
        return self.marked(self.place(), kind)

    def boat(self) -> int:
        return self.marked(self.sea(), BOAT)

    def attack(self) -> Attack:
        start = self.sea()
        if self.has("island"):
            island, owner, square = self.island(), 0, 0
        else:
            island, owner, square = NO_ISLAND, self.owner(), self.sea()
        plus_ones = 0
        if not self.is_done():
            plus_ones = 1 + self.one_of([f"+{number}" for number in range(1, MOST_PLUS_ONES + 1)], "+1 to +7")
        return Attack(start, island, owner, square, plus_ones)

    def card(self) -> Move:
        card = self.one_of(["boum", "fog", "updraft", "gulf_stream"], "a card to play")
        source = self.source()
        if card == 0:
            owner = self.owner()
            return Boum(source, owner, self.sea())
        if card == 1:
            return Fog(source)
        pawn = self.pawn()
        if (kind_of(pawn) == PLANE) != (card == 2):
            raise MalformedMove(self.text, "that card is for another kind of pawn")
        return Hasten(source, pawn)

    def move(self) -> Move:
        verb = self.word()
        if verb == "throw":
            return THROW
        if verb == "choose_pawn":
            return ChoosePawn(self.pawn())
        if verb == "sail":
            return Sail(self.sea())
        if verb == "end_turn":
            return END_TURN
        if verb == "attack":
            return self.attack()
        if verb == "fortify":
            island = self.island()
            one, other = self.boat(), self.boat()
            return Fortify(island, min(one, other), max(one, other))
        if verb == "use_square":
            return UseSquare(self.sea())
        if verb == "lose":
            kind = self.one_of(KINDS[:BATTLESHIP], "boat or plane")
            return Lose(kind, self.place())
        if verb == "play_card":
            return self.card()
        return self.answer_or_draw(verb)

    def answer_or_draw(self, verb: str) -> Move:
        if verb in ANSWERS:
            return SAID[ANSWERS.index(verb) + 1]
        if verb == "answer" and self.has("?"):
            return SEALED
        if verb == "die":
            return Die(FACES[self.one_of(FACE_NAMES, "skull or a number from 2 to 6")])
        if verb == "sector":
            return Sector(1 + self.one_of([str(number) for number in range(1, len(SECTORS) + 1)], "1 to 12"))
        if verb == "card":
            return Card(self.one_of(["?", *CARDS], "a mystery card or ?") - 1)
        if verb == "time_up":
            return TIME_UP
        raise MalformedMove(self.text, f"{verb!r} is not a kind of move")


def parse(text: str) -> Move:
    """The move of a text. Raises `MalformedMove`."""
    words = _Words(text)
    move = words.move()
    words.check_end(notation(move))
    return move
