"""Encoding of Fireship: the table of its actions, and the layout of observations."""

from __future__ import annotations

from typing import Any, Final

from engine_core import packed
from engine_core.encodings import Encoding, relative
from engine_core.encodings.actions import ActionTable, Block, Values, each
from engine_core.encodings.layout import Features, Layout
from engine_core.game import Game, Move, Options
from engine_core.games.fireship import board, components, moves, stages
from engine_core.games.fireship.state import FireshipOptions
from engine_core.games.fireship.view import NO_HAND, FireshipSeatView, FireshipView

KINDS: Final = len(components.KINDS)
OWNERS: Final = len(components.OWNERS)
WATERS: Final = [square for square in range(board.SQUARES) if board.IS_SEA[square]]
SEA: Final = sorted([*WATERS, *board.BASES])
"""The squares that a pawn can be on."""
SQUARE_INDEX: Final = {square: index for index, square in enumerate(SEA)}
CARDS: Final = components.CARD_KINDS
BADGES: Final = len(components.BADGES)
PLUS_ONES: Final[int] = components.CARD_COUNTS[components.PLUS_ONE]
MAX_DICE: Final = 3
MAX_POINTS: Final = MAX_DICE * 6
MAX_POWER: Final = 127
DECK: Final[int] = packed.size(components.FULL_DECK)
MARKED: Final = [moves.FAST, moves.ARRIVED, moves.FAST | moves.ARRIVED]
"""Marks of a pawn, but for none."""
DECLARED: Final = [
    moves.Attack,
    moves.Boum,
    moves.Fog,
    moves.Hasten,
    moves.Fortify,
    moves.UseSquare,
    moves.Sector,
    moves.Card,
]
DECLARED_NAMES: Final = ["attack", "Boum", "fog", "fast pawn", "ring", "special square", "wheel", "card"]
MAX_TURN_MOVES: Final = 64
"""More than a turn has without cards and answers: 18 pawns chosen and moved, a throw, rings, an action, an end."""


def _codes(squares: list[int], kinds: list[int], marks: list[int]) -> list[int]:
    """Packed pawns."""
    return [
        square * moves.CLASSES + kind * moves.MARKS + mark for square in squares for kind in kinds for mark in marks
    ]


def _attacks() -> Values:
    """Start, island, owner and square of every attack."""
    found: Values = []
    for start in WATERS:
        found += [(start, island, 0, 0) for island in board.NEARBY_ISLANDS[start]]
        for square in board.NEARBY_SQUARES[start]:
            found += [(start, moves.NO_ISLAND, owner, square) for owner in range(OWNERS)]
    return found


def _rings() -> Values:
    """Island and both boats of every ring."""
    found: Values = []
    for island in range(board.ISLANDS):
        boats = _codes(sorted(board.SQUARES_NEAR_ISLAND[island]), [components.BOAT], list(range(moves.MARKS)))
        found += [(island, first, second) for first in boats for second in boats if first <= second]
    return found


def _actions() -> ActionTable:
    sources = each(list(range(len(moves.SOURCES))))
    kinds = list(range(KINDS))
    squares = each(SEA)
    waters = each(WATERS)
    return ActionTable(
        [
            Block(moves.Boum, [sources, each(list(range(OWNERS))), waters]),
            Block(moves.Fog, [sources]),
            Block(moves.Hasten, [sources, each(_codes(SEA, kinds, [0, moves.ARRIVED]))]),
            Block(moves.Throw, []),
            Block(moves.ChoosePawn, [each(_codes(SEA, kinds, list(range(moves.MARKS))))]),
            Block(moves.Sail, [waters]),
            Block(moves.Fortify, [_rings()]),
            Block(moves.Attack, [_attacks(), each(list(range(PLUS_ONES + 1)))]),
            Block(moves.UseSquare, [waters]),
            Block(moves.Lose, [each([components.BOAT, components.PLANE]), squares]),
            Block(moves.EndTurn, []),
            Block(moves.Answer, [each(list(range(1, len(moves.ANSWER_NAMES) + 1)))]),
        ]
    )


ACTIONS: Final[ActionTable] = _actions()


class FireshipEncoding(Encoding):
    """The numbers of Fireship."""

    def __init__(self, game: Game[Any, Any, Any, Any], seat_count: int, options: FireshipOptions) -> None:
        chosen = options.with_defaults(seat_count)
        layout = Layout()
        seats = seat_count
        self.stage: Final = layout.add("stage", stages.OVER + 1, 1, "what happens next, one of the stages is 1")
        self.round: Final = layout.add("round", 1, chosen.rounds + 1, "the round, from 1")
        self.active: Final = layout.add("active", seats, 1, "the active seat is 1, relative to the observer")
        self.first: Final = layout.add("first", seats, 1, "the seat that began is 1")
        self.colours: Final = layout.add("colours", seats * 4, 1, "the corner of each seat is 1")
        self.hand_sizes: Final = layout.add("hand_sizes", seats, DECK, "cards in each hand")
        self.hand: Final = layout.add("hand", CARDS, 10, "the observer's cards by kind")
        self.badges: Final = layout.add("badges", seats * BADGES, 6, "badges by seat and kind")
        self.anti_skull: Final = layout.add("anti_skull", seats, 1, "1 for a seat with its anti-skull card")
        self.fog: Final = layout.add("fog", seats, 1, "1 for a seat under fog")
        self.skips: Final = layout.add("turns_to_skip", seats, 63, "turns that each seat skips")
        self.passes: Final = layout.add("passes_turn", seats, 1, "1 for a seat that passes until the next turn")
        self.answered: Final = layout.add("answered", seats, 1, "1 for a seat that has answered")
        self.answer: Final = layout.add("answer", len(moves.ANSWER_NAMES) + 1, 1, "the observer's sealed answer is 1")
        self.out: Final = layout.add("out", seats, 1, "1 for a seat that is out")
        self.left: Final = layout.add("left", seats, 1, "1 for a seat whose player has left")
        self.throws: Final = layout.add("first_throw", seats, MAX_POINTS, "each seat's throw for the first turn")
        self.pawns: Final = layout.add(
            "pawns", len(SEA) * OWNERS * KINDS, 15, "pawns by square, owner and kind; white is the last owner"
        )
        self.marks: Final = layout.add(
            "marks", len(SEA) * KINDS * len(MARKED), 15, "those of the active seat that are fast, arrived or both"
        )
        self.owners: Final = layout.add("islands", board.ISLANDS * OWNERS, 1, "the owner of each island is 1")
        self.rings: Final = layout.add("rings", board.ISLANDS, components.RINGS, "rings of each island")
        self.deck_size: Final = layout.add("deck_size", 1, DECK, "cards in the deck")
        self.deck_at_most: Final = layout.add("deck_at_most", CARDS, 10, "most cards of a kind in the deck")
        self.discards: Final = layout.add("discards", CARDS, 10, "played cards by kind")
        self.stock: Final = layout.add("badge_stock", BADGES, 6, "badges not given out, by kind")
        self.dice: Final = layout.add("dice", MAX_DICE, 6, "the dice of the throw")
        self.points: Final = layout.add("points", 1, MAX_POINTS, "points left to move")
        self.chosen: Final = layout.add("chosen_pawn", len(SEA) * KINDS, 1, "the chosen pawn's square and kind is 1")
        self.acted: Final = layout.add("acted", 2, 1, "1 after the action, and after a ring")
        self.powers: Final = layout.add("powers", 2, MAX_POWER, "attack and defence power of the declared attack")
        self.declared: Final = layout.add(
            "action", len(DECLARED), 1, f"the declared action is 1: {', '.join(DECLARED_NAMES)}"
        )
        self.target: Final = layout.add(
            "target", board.ISLANDS + len(SEA), 1, "the island or square that it is aimed at is 1"
        )
        self.target_owner: Final = layout.add(
            "target_owner", OWNERS, 1, "the owner of the pawn that it is aimed at is 1"
        )
        self.responses: Final = layout.add(
            "responses", seats * len(moves.ANSWER_NAMES), DECK, "responses on the stack by seat and answer"
        )
        self.to_answer: Final = layout.add("to_answer", seats, 1, "1 for a seat that owes an answer")
        self.time_up: Final = layout.add("time_up", 1, 1, "1 when the time of the match is over")
        super().__init__(game, seat_count, chosen, ACTIONS, layout)
        # All cards and badges may be played in a turn, each a move that the other seats answer.
        plays = DECK + sum(components.BADGE_STOCK)
        turns = chosen.rounds * seats
        self.max_moves = turns * (MAX_TURN_MOVES + (plays + MAX_TURN_MOVES) * seats)
        self.max_chance_outcomes = len(components.SECTORS)

    def encode(self, view: FireshipView, seat: int) -> bytes:
        features = Features(self.layout.size)
        features.put(self.stage + view.stage, 1)
        features.put(self.round, view.round)
        for start, number in ((self.active, view.active_seat), (self.first, view.first_seat)):
            if number >= 0:
                features.put(start + relative(number, seat, self.seat_count), 1)
        for number, each_seat in enumerate(view.seats):
            self._encode_seat(features, each_seat, relative(number, seat, self.seat_count))
        owner_numbers = _owner_numbers(view, seat)
        for pawn in view.pawns:
            square = SQUARE_INDEX[pawn.pawn // moves.CLASSES]
            kind = moves.kind_of(pawn.pawn)
            owner = owner_numbers[pawn.owner]
            features.put(self.pawns + (square * OWNERS + owner) * KINDS + kind, pawn.count)
            if mark := pawn.pawn % moves.MARKS:
                features.put(self.marks + (square * KINDS + kind) * len(MARKED) + mark - 1, pawn.count)
        for island, owner in enumerate(view.owners):
            features.put(self.owners + island * OWNERS + owner_numbers[owner], 1)
        features.put_all(self.rings, view.rings)
        features.put(self.deck_size, view.deck_size)
        features.put_all(self.deck_at_most, packed.unpack(view.deck_at_most, CARDS))
        features.put_all(self.discards, packed.unpack(view.discards, CARDS))
        features.put_all(self.stock, view.badge_stock)
        features.put_all(self.dice, view.dice)
        features.put(self.points, view.points)
        if view.chosen_pawn >= 0:
            square = SQUARE_INDEX[view.chosen_pawn // moves.CLASSES]
            features.put(self.chosen + square * KINDS + moves.kind_of(view.chosen_pawn), 1)
        features.put(self.acted, int(view.has_acted))
        features.put(self.acted + 1, int(view.has_fortified))
        self._encode_stack(features, view, seat, owner_numbers)
        for number in range(self.seat_count):
            features.put(self.to_answer + relative(number, seat, self.seat_count), view.seats_to_answer >> number & 1)
        features.put(self.time_up, int(view.time_is_up))
        return features.to_bytes()

    def _encode_seat(self, features: Features, seat: FireshipSeatView, number: int) -> None:
        """Encode a seat, the `number`-th clockwise of the observer."""
        features.put(self.colours + number * 4 + seat.colour, 1)
        features.put(self.hand_sizes + number, seat.hand_size)
        if seat.hand != NO_HAND:
            features.put_all(self.hand, packed.unpack(seat.hand, CARDS))
        features.put_all(self.badges + number * BADGES, seat.badges)
        features.put(self.anti_skull + number, int(seat.anti_skull))
        features.put(self.fog + number, int(seat.fog))
        features.put(self.skips + number, seat.turns_to_skip)
        features.put(self.passes + number, int(seat.passes_turn))
        features.put(self.answered + number, int(seat.has_answered))
        if seat.answer:
            features.put(self.answer + seat.answer, 1)
        features.put(self.out + number, int(seat.eliminated_in_turn != 0))
        features.put(self.left + number, int(seat.has_left))
        features.put(self.throws + number, seat.first_throw)

    def _encode_stack(self, features: Features, view: FireshipView, seat: int, owner_numbers: list[int]) -> None:
        """Encode the declared action with its target, and the responses to it."""
        features.put(self.powers, view.attack_power)
        features.put(self.powers + 1, view.defence_power)
        responses = [0] * (self.seat_count * len(moves.ANSWER_NAMES))
        for declared in view.declared:
            move = declared.move
            if isinstance(move, moves.Answer):
                maker = relative(declared.seat, seat, self.seat_count)
                responses[maker * len(moves.ANSWER_NAMES) + move.answer - 1] += 1
                continue
            features.put(self.declared + DECLARED.index(type(move)), 1)
            island, square, owner = _target(move)
            if island >= 0:
                features.put(self.target + island, 1)
            if square >= 0:
                features.put(self.target + board.ISLANDS + SQUARE_INDEX[square], 1)
            if owner >= 0:
                features.put(self.target_owner + owner_numbers[owner], 1)
        features.put_all(self.responses, responses)


def _owner_numbers(view: FireshipView, seat: int) -> list[int]:
    """By colour, the owner relative to the observer; colours without a seat come after those with one, white last."""
    seats = len(view.seats)
    order = [view.seats[(seat + number) % seats].colour for number in range(seats)]
    order += [colour for colour in range(components.WHITE + 1) if colour not in order]
    return [order.index(colour) for colour in range(components.WHITE + 1)]


def _target(move: Move) -> tuple[int, int, int]:
    """Island, square and owner that a declared move is aimed at; -1 for none."""
    if isinstance(move, moves.Attack):
        return (move.island, -1, -1) if move.island != moves.NO_ISLAND else (-1, move.square, move.owner)
    if isinstance(move, moves.Boum):
        return -1, move.square, move.owner
    if isinstance(move, moves.Fortify):
        return move.island, -1, -1
    if isinstance(move, moves.Hasten):
        return -1, move.pawn // moves.CLASSES, -1
    return (-1, move.square, -1) if isinstance(move, moves.UseSquare) else (-1, -1, -1)


def encoding(game: Game[Any, Any, Any, Any], seat_count: int, options: Options) -> FireshipEncoding:
    """The encoding of Fireship with a number of seats and options."""
    assert isinstance(options, FireshipOptions)
    return FireshipEncoding(game, seat_count, options)
