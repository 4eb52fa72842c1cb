"""The notation of the moves of Fireship. Squares are named as on the board (FS-117), islands are numbered from 1."""

from __future__ import annotations

from typing import Final

from engine_core.errors import MalformedMove
from engine_core.games.fireship import components, moves
from engine_core.games.fireship.board import BASES, IS_SEA, ISLANDS, NAMES, SPECIAL, SPECIAL_NAMES, SQUARES
from engine_core.notation import Argument, Form, Notation, OneOf, Tokens, number_argument
from engine_core.words import Words

MAX_PLUS_ONES: Final = 7


class SquareArgument(Argument):
    """A square of the board on which a pawn can be."""

    def __init__(self, is_allowed: list[bool], what: str) -> None:
        self.is_allowed: Final = is_allowed
        self.what: Final = what

    def write(self, argument: int) -> str:
        return NAMES[argument]

    def read(self, tokens: Tokens) -> int:
        square = tokens.name_index(NAMES, "a square")
        if not self.is_allowed[square]:
            raise MalformedMove(tokens.text, f"{NAMES[square]} is not {self.what}")
        return square


SEA: Final = SquareArgument(IS_SEA, "a square of the sea")
SEA_OR_BASE: Final = SquareArgument(
    [IS_SEA[square] or square in BASES for square in range(SQUARES)], "of the sea or a base"
)
KIND: Final = OneOf(components.KINDS, "a kind of pawn")
ISLAND: Final = OneOf([str(island + 1) for island in range(ISLANDS)], f"an island from 1 to {ISLANDS}")
_AN_OWNER: Final = f"one of {', '.join(components.COLOURS)} and white"
OWNER: Final = OneOf(components.OWNERS, _AN_OWNER, kind="colour")
BOAT_OWNER: Final = OneOf(components.OWNERS, _AN_OWNER, kind="colour.boat")
SOURCE: Final = OneOf(moves.SOURCES, "hand or badge", kind="card_source")
CARD: Final = OneOf(["?", *components.CARDS], "a mystery card or ?", moves.HIDDEN, "mystery_card")


class BoatArgument(Argument):
    """A boat at sea by its square and marks; the marks are read in any order."""

    def write(self, argument: int) -> str:
        arrived = " arrived" if argument & moves.ARRIVED else ""
        return NAMES[argument // moves.CLASSES] + arrived + (" fast" if argument & moves.FAST else "")

    def read(self, tokens: Tokens) -> int:
        return self.marked(tokens, SEA.read(tokens), components.BOAT)

    def marked(self, tokens: Tokens, square: int, kind: int) -> int:
        """Read the marks that follow. Returns the packed pawn."""
        fast = tokens.accept("fast")
        arrived = tokens.accept("arrived")
        return moves.pawn_code(square, kind, arrived, fast or tokens.accept("fast"))

    def name(self, argument: int, words: Words) -> str:
        square = argument // moves.CLASSES
        kind = components.KINDS[moves.kind_of(argument)]
        pawn = words.name("pawn_kind.fast" if argument & moves.FAST else "pawn_kind.one", kind)
        place = "base" if square in BASES else "arrived" if argument & moves.ARRIVED else "sea"
        return words.name("pawn.place", place).format(pawn, NAMES[square])


class PawnArgument(BoatArgument):
    """A pawn of any kind, at sea or in a base."""

    def write(self, argument: int) -> str:
        return f"{components.KINDS[moves.kind_of(argument)]} {super().write(argument)}"

    def read(self, tokens: Tokens) -> int:
        kind = KIND.read(tokens)
        return self.marked(tokens, SEA_OR_BASE.read(tokens), kind)


class FaceArgument(OneOf):
    """A face of a die."""

    def write(self, argument: int) -> str:
        return super().write(components.FACES.index(argument))

    def read(self, tokens: Tokens) -> int:
        return components.FACES[super().read(tokens)]


FACE: Final = FaceArgument(["skull", *map(str, components.FACES[1:])], "skull or a number from 2 to 6", kind="die_face")
BOAT_AT_SEA: Final = BoatArgument()
PAWN: Final = PawnArgument()
HASTENING_CARDS: Final = ["gulf_stream", "updraft"]
"""The card for boats and battleships, and the card for planes."""
PLUS_ONES: Final = [f"+{number}" for number in range(1, MAX_PLUS_ONES + 1)]


class HastenForm(Form):
    """A pawn made fast; the card follows from its kind."""

    def write(self, arguments: tuple[int, ...]) -> str:
        source, pawn = arguments
        card = HASTENING_CARDS[moves.kind_of(pawn) == components.PLANE]
        return f"play_card {card} {SOURCE.write(source)}: {PAWN.write(pawn)}"

    def read(self, tokens: Tokens) -> list[int]:
        card = tokens.name_index(HASTENING_CARDS, "a card to play")
        source = SOURCE.read(tokens)
        pawn = PAWN.read(tokens)
        if card != (moves.kind_of(pawn) == components.PLANE):
            raise MalformedMove(tokens.text, "that card is for another kind of pawn")
        return [source, pawn]

    def sentence(self, key: str, arguments: tuple[int, ...], words: Words) -> str:
        source, pawn = arguments
        card = HASTENING_CARDS[moves.kind_of(pawn) == components.PLANE]
        return words.sentence(key, SOURCE.name(source, words), words.name("played_card", card), PAWN.name(pawn, words))


class AttackForm(Form):
    """An attack on an island or a pawn, with or without +1 cards."""

    def write(self, arguments: tuple[int, ...]) -> str:
        start, island, owner, square, plus_ones = arguments
        target = (
            f"{components.OWNERS[owner]} {NAMES[square]}"
            if island == moves.NO_ISLAND
            else f"island {ISLAND.write(island)}"
        )
        return f"attack {NAMES[start]}: {target}" + (f" +{plus_ones}" if plus_ones else "")

    def read(self, tokens: Tokens) -> list[int]:
        start = SEA.read(tokens)
        if tokens.accept("island"):
            target = [ISLAND.read(tokens), 0, 0]
        else:
            target = [moves.NO_ISLAND, OWNER.read(tokens), SEA.read(tokens)]
        plus_ones = 0 if tokens.is_at_end() else 1 + tokens.name_index(PLUS_ONES, f"+1 to +{MAX_PLUS_ONES}")
        return [start, *target, plus_ones]

    def sentence(self, key: str, arguments: tuple[int, ...], words: Words) -> str:
        start, island, owner, square, plus_ones = arguments
        if island == moves.NO_ISLAND:
            target = words.name("attack.target", "pawn").format(OWNER.name(owner, words), NAMES[square])
        else:
            target = words.name("attack.target", "island").format(ISLAND.write(island))
        if plus_ones == 0:
            return words.sentence(key, NAMES[start], target)
        return words.sentence(f"{key}_plus", NAMES[start], target, words.several("plus", "card", plus_ones))


class FortifyForm(Form):
    """A ring, whose two boats are read in any order."""

    def read(self, tokens: Tokens) -> list[int]:
        island, one, other = super().read(tokens)
        return [island, min(one, other), max(one, other)]

    def sentence(self, key: str, arguments: tuple[int, ...], words: Words) -> str:
        _, one, other = arguments
        return super().sentence(f"{key}_alike" if one == other else key, arguments, words)


class UseSquareForm(Form):
    """The use of a special square: a sentence for each kind of square."""

    def sentence(self, key: str, arguments: tuple[int, ...], words: Words) -> str:
        return super().sentence(f"{key}_{SPECIAL_NAMES[SPECIAL[arguments[0]]]}", arguments, words)


class LoseForm(Form):
    """A pawn given up."""

    def sentence(self, key: str, arguments: tuple[int, ...], words: Words) -> str:
        kind, square = arguments
        return words.sentence(key, PAWN.name(moves.pawn_code(square, kind), words))


class SectorForm(Form):
    """A sector of the wheel, whose sentence tells its effect."""

    def sentence(self, key: str, arguments: tuple[int, ...], words: Words) -> str:
        sector = arguments[0]
        effect = components.EFFECTS[components.SECTORS[sector - 1]]
        return words.sentence(key, str(sector), words.name("wheel_effect", effect))


class AnswerForm(Form):
    """An answer, as a word of its own; `answer ?` for observers who do not see it."""

    def write(self, arguments: tuple[int, ...]) -> str:
        answer = arguments[0]
        return "answer ?" if answer == moves.HIDDEN else moves.ANSWER_NAMES[answer - 1]

    def read(self, tokens: Tokens) -> list[int]:
        if tokens.accept("answer"):
            return [tokens.name_index(["?"], "?") + moves.HIDDEN]
        return [1 + tokens.name_index(moves.ANSWER_NAMES, "a kind of move")]

    def sentence(self, key: str, arguments: tuple[int, ...], words: Words) -> str:
        answer = arguments[0]
        return words.sentence(key if answer == moves.HIDDEN else f"{key}_{moves.ANSWER_NAMES[answer - 1]}")


NOTATION: Final = Notation(
    "Fireship",
    {
        moves.Boum: Form("play_card boum {}: {} {}", SOURCE, BOAT_OWNER, SEA),
        moves.Fog: Form("play_card fog {}", SOURCE),
        moves.Hasten: HastenForm("play_card"),
        moves.Throw: Form("throw"),
        moves.ChoosePawn: Form("choose_pawn {}", PAWN),
        moves.Sail: Form("sail {}", SEA),
        moves.Fortify: FortifyForm("fortify {}: {} {}", ISLAND, BOAT_AT_SEA, BOAT_AT_SEA),
        moves.Attack: AttackForm("attack"),
        moves.UseSquare: UseSquareForm("use_square {}", SEA),
        moves.Lose: LoseForm(
            "lose {} {}", OneOf(components.KINDS[: components.BATTLESHIP], "boat or plane"), SEA_OR_BASE
        ),
        moves.EndTurn: Form("end_turn"),
        moves.Answer: AnswerForm(""),
        moves.Die: Form("die {}", FACE),
        moves.Sector: SectorForm("sector {}", number_argument(1, len(components.SECTORS), "a sector")),
        moves.Card: Form("card {}", CARD),
        moves.TimeUp: Form("time_up"),
    },
)
