"""Encoding of Fireship: the table of its actions, and the layout of observations."""

from __future__ import annotations

from typing import Any, Final

from engine_core import packed
from engine_core.encodings import Encoding, relative
from engine_core.encodings.actions import ActionTable, Block, Values, argument
from engine_core.encodings.layout import BYTES, Layout, add_counts, one_hot_table
from engine_core.game import Game, Move, Options
from engine_core.games.fireship import board, components, moves, stages
from engine_core.games.fireship.state import NO_PAWN, FireshipOptions, FireshipState
from engine_core.games.fireship.view import attack_power_of, defence_power_of

KINDS: Final = len(components.KINDS)
OWNERS: Final = len(components.OWNERS)
WATERS: Final = [square for square in range(board.SQUARES) if board.IS_SEA[square]]
SEA: Final = sorted([*WATERS, *board.BASES])
"""The squares that a pawn can be on."""
PLACES: Final = len(SEA) * KINDS
"""Squares and kinds of pawns."""
SQUARE_INDEX: Final = {square: index for index, square in enumerate(SEA)}
CARDS: Final = components.CARD_KINDS
BADGES: Final = len(components.BADGES)
PLUS_ONES: Final[int] = components.CARD_COUNTS[components.PLUS_ONE]
MAX_DICE: Final = 3
MAX_POINTS: Final = MAX_DICE * 6
MAX_POWER: Final = 127
DECK: Final[int] = packed.size(components.FULL_DECK)
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
    sources = argument(list(range(len(moves.SOURCES))))
    kinds = list(range(KINDS))
    squares = argument(SEA)
    waters = argument(WATERS)
    return ActionTable(
        [
            Block(moves.Boum, [sources, argument(list(range(OWNERS))), waters]),
            Block(moves.Fog, [sources]),
            Block(moves.Hasten, [sources, argument(_codes(SEA, kinds, [0, moves.ARRIVED]))]),
            Block(moves.Throw, []),
            Block(moves.ChoosePawn, [argument(_codes(SEA, kinds, list(range(moves.MARKS))))]),
            Block(moves.Sail, [waters]),
            Block(moves.Fortify, [_rings()]),
            Block(moves.Attack, [_attacks(), argument(list(range(PLUS_ONES + 1)))]),
            Block(moves.UseSquare, [waters]),
            Block(moves.Lose, [argument([components.BOAT, components.PLANE]), squares]),
            Block(moves.EndTurn, []),
            Block(moves.Answer, [argument(list(range(1, len(moves.ANSWER_NAMES) + 1)))]),
        ]
    )


def _pawn_places() -> list[int]:
    """By packed pawn without marks, its place among all squares and kinds; 0 where no pawn can be."""
    places = [0] * (board.SQUARES * (moves.CLASSES // moves.MARKS))
    for index, square in enumerate(SEA):
        for kind in range(KINDS):
            places[(square * moves.CLASSES + kind * moves.MARKS) // moves.MARKS] = index * KINDS + kind
    return places


ACTIONS: Final[ActionTable] = _actions()
PAWN_PLACES: Final = _pawn_places()
STAGES: Final = one_hot_table(stages.OVER + 1)
CORNERS: Final = one_hot_table(len(components.COLOURS))
OWNER_ROWS: Final = one_hot_table(OWNERS)
ANSWERS: Final = one_hot_table(len(moves.ANSWER_NAMES) + 1)
ZEROS: Final = [bytes(length) for length in range(PLACES + 1)]
"""By length, numbers that are all 0."""
NO_MARKED_PAWNS: Final = bytes((moves.MARKS - 1) * PLACES)
ONE_AFTER_ZEROS: Final = [zeros + BYTES[1] for zeros in ZEROS]


class FireshipEncoding(Encoding):
    """The numbers of Fireship. `encode` writes the slices in the order in which the constructor adds them."""

    def __init__(self, game: Game[Any, Any, Any, Any], seat_count: int, options: FireshipOptions) -> None:
        chosen = options.with_defaults(seat_count)
        layout = Layout()
        layout.add("stage", stages.OVER + 1, 1, "what happens next, one of the stages is 1")
        layout.add("round", 1, chosen.rounds + 1, "the round, from 1")
        layout.add("active", seat_count, 1, "the active seat is 1, relative to the observer")
        layout.add("first", seat_count, 1, "the seat that began is 1")
        layout.add("hand", CARDS, 10, "the observer's cards by kind")
        layout.add("answer", len(moves.ANSWER_NAMES) + 1, 1, "the observer's sealed answer is 1, the first for none")
        for seat in range(seat_count):
            layout.add(f"colour_{seat}", len(components.COLOURS), 1, "the corner of the seat is 1")
            layout.add(f"hand_size_{seat}", 1, DECK, "cards in the seat's hand")
            layout.add(f"badges_{seat}", BADGES, 6, "its badges by kind")
            layout.add(f"anti_skull_{seat}", 1, 1, "1 if the seat has its anti-skull card")
            layout.add(f"fog_{seat}", 1, 1, "1 if it is under fog")
            layout.add(f"turns_to_skip_{seat}", 1, 63, "turns that it skips")
            layout.add(f"passes_turn_{seat}", 1, 1, "1 if it passes until the next turn")
            layout.add(f"answered_{seat}", 1, 1, "1 if it has answered")
            layout.add(f"to_answer_{seat}", 1, 1, "1 if it owes an answer")
            layout.add(f"out_{seat}", 1, 1, "1 if it is out")
            layout.add(f"left_{seat}", 1, 1, "1 if its player has left")
            layout.add(f"first_throw_{seat}", 1, MAX_POINTS, "its throw for the first turn")
        for owner in range(OWNERS):
            layout.add(
                f"pawns_{owner}",
                PLACES,
                15,
                "the owner's pawns by square and kind: of the seats, then of colours without a seat, white last",
            )
        for name in ("fast", "arrived", "fast and arrived"):
            layout.add(f"{name.replace(' ', '_')}_pawns", PLACES, 15, f"the active seat's pawns that are {name}")
        layout.add("islands", board.ISLANDS * OWNERS, 1, "the owner of each island is 1")
        layout.add("rings", board.ISLANDS, components.RINGS, "rings of each island")
        layout.add("deck_size", 1, DECK, "cards in the deck")
        layout.add("deck_at_most", CARDS, 10, "most cards of a kind in the deck")
        layout.add("discards", CARDS, 10, "played cards by kind")
        layout.add("badge_stock", BADGES, 6, "badges not given out, by kind")
        layout.add("dice", MAX_DICE, 6, "the dice of the throw")
        layout.add("points", 1, MAX_POINTS, "points left to move")
        layout.add("chosen_pawn", PLACES, 1, "the chosen pawn's square and kind is 1")
        layout.add("acted", 2, 1, "1 after the action, and after a ring")
        layout.add("time_up", 1, 1, "1 when the time of the match is over")
        start = layout.size
        layout.add("powers", 2, MAX_POWER, "attack and defence power of the declared attack")
        layout.add("action", len(DECLARED), 1, f"the declared action is 1: {', '.join(DECLARED_NAMES)}")
        layout.add("target", board.ISLANDS + len(SEA), 1, "the island or square that it is aimed at is 1")
        layout.add("target_owner", OWNERS, 1, "the owner of the pawn that it is aimed at is 1")
        layout.add("responses", seat_count * len(moves.ANSWER_NAMES), DECK, "responses on the stack by seat and answer")
        super().__init__(game, seat_count, chosen, ACTIONS, layout)
        # All cards and badges may be played in a turn, each a move that the other seats answer.
        plays = DECK + sum(components.BADGE_STOCK)
        turns = chosen.rounds * seat_count
        self.max_moves = turns * (MAX_TURN_MOVES + (plays + MAX_TURN_MOVES) * seat_count)
        self.max_chance_outcomes = len(components.SECTORS)
        self._seats: Final = one_hot_table(seat_count)
        self._no_action: Final = bytes(layout.size - start)
        """The slices of the declared action when there is none."""
        self._colours: Final = [_colours_by_owner(chosen.colours, seat) for seat in range(seat_count)]
        """By observer, the colours in the order of owners."""
        self._owners: Final = [[order.index(colour) for colour in range(OWNERS)] for order in self._colours]
        """By observer and colour, the place in that order."""

    def encode(self, state: FireshipState, seat: int) -> bytes:
        count = self.seat_count
        active, first = state.active_seat, state.first_seat
        own = state.seats[seat]
        pieces = [
            STAGES[state.stage],
            BYTES[state.round],
            self._seats[relative(active, seat, count) if active >= 0 else count],
            self._seats[relative(first, seat, count) if first >= 0 else count],
        ]
        add_counts(pieces, own.hand, CARDS)
        pieces.append(ANSWERS[own.answer])
        for number in range(count):
            _add_seat(pieces, state, (seat + number) % count)
        for colour in self._colours[seat]:
            _add_pawns(pieces, state.pawns[colour])
        pawns = state.pawns[state.seats[active].colour] if active >= 0 else []
        marked = [pawn for pawn in pawns if pawn % moves.MARKS]
        if marked:
            for mark in range(1, moves.MARKS):
                _add_pawns(pieces, [pawn for pawn in marked if pawn % moves.MARKS == mark])
        else:
            pieces.append(NO_MARKED_PAWNS)
        owners = self._owners[seat]
        for colour in state.owners:
            pieces.append(OWNER_ROWS[owners[colour]])
        pieces += [bytes(state.rings), BYTES[packed.size(state.deck)]]
        add_counts(pieces, own.deck_at_most, CARDS)
        add_counts(pieces, state.discards, CARDS)
        pieces += [bytes(state.badge_stock), bytes(state.dice), ZEROS[MAX_DICE - len(state.dice)], BYTES[state.points]]
        _add_pawns(pieces, [state.chosen_pawn] if state.chosen_pawn != NO_PAWN else [])
        pieces += [BYTES[state.has_acted], BYTES[state.has_fortified], BYTES[state.time_is_up]]
        pieces.append(self._action(state, seat, owners) if state.stack else self._no_action)
        return b"".join(pieces)

    def _action(self, state: FireshipState, seat: int, owners: list[int]) -> bytes:
        """The slices of the declared action with its target, and of the responses to it."""
        declared = bytearray(len(DECLARED))
        target = bytearray(board.ISLANDS + len(SEA))
        target_owner = bytearray(OWNERS)
        responses = bytearray(self.seat_count * len(moves.ANSWER_NAMES))
        for entry in state.stack:
            move = entry.move
            if isinstance(move, moves.Answer):
                maker = relative(entry.seat, seat, self.seat_count)
                responses[maker * len(moves.ANSWER_NAMES) + move.answer - 1] += 1
                continue
            declared[DECLARED.index(type(move))] = 1
            island, square, owner = _target(move)
            if island >= 0:
                target[island] = 1
            if square >= 0:
                target[board.ISLANDS + SQUARE_INDEX[square]] = 1
            if owner >= 0:
                target_owner[owners[owner]] = 1
        powers = bytes([attack_power_of(state), defence_power_of(state)])
        return b"".join([powers, declared, target, target_owner, responses])


def _colours_by_owner(colours: tuple[int, ...], observer: int) -> list[int]:
    """The colours in the order of owners: of the seats from the observer on, then those without one, white last."""
    found = [*colours[observer:], *colours[:observer]]
    return found + [colour for colour in range(components.WHITE + 1) if colour not in found]


def _add_seat(pieces: list[bytes], state: FireshipState, number: int) -> None:
    seat = state.seats[number]
    pieces += [
        CORNERS[seat.colour],
        BYTES[packed.size(seat.hand)],
        bytes(seat.badges),
        BYTES[seat.anti_skull],
        BYTES[seat.fog],
        BYTES[seat.turns_to_skip],
        BYTES[seat.passes_turn],
        BYTES[seat.answer != 0],
        BYTES[state.seats_to_answer >> number & 1],
        BYTES[seat.eliminated_in_turn != 0],
        BYTES[seat.has_left],
        BYTES[seat.first_throw],
    ]


def _add_pawns(pieces: list[bytes], pawns: list[int]) -> None:
    """Append the number of pawns by square and kind. The pawns are ascending."""
    last = -1
    gap = 0
    count = 0
    for pawn in pawns:
        place = PAWN_PLACES[pawn // moves.MARKS]
        if place == last:
            count += 1
            pieces[-1] = ZEROS[gap] + BYTES[count]
        else:
            gap = place - last - 1
            pieces.append(ONE_AFTER_ZEROS[gap])
            count = 1
            last = place
    pieces.append(ZEROS[PLACES - last - 1])


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
