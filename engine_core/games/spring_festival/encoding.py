"""Encoding of Spring Festival: the table of its actions, and the layout of observations."""

from __future__ import annotations

from typing import Any, Final

from engine_core.encodings import Encoding, relative
from engine_core.encodings.actions import ActionTable, Block, argument
from engine_core.encodings.layout import BYTES, Layout, one_hot_table
from engine_core.game import Game, Options
from engine_core.games.spring_festival import components, compositions, moves, stages
from engine_core.games.spring_festival.display import Display
from engine_core.games.spring_festival.effects import pile_size, unlaid_start_tiles
from engine_core.games.spring_festival.squares import FARTHEST, NO_SQUARE, SQUARES, column, row
from engine_core.games.spring_festival.state import MAX_SEATS, SpringFestivalOptions, SpringFestivalState

TILES: Final = len(components.TILES)
CARDS: Final = len(compositions.COMPOSITIONS)
MAX_TILES: Final = components.SET_SIZE + components.ROUNDS
"""Most tiles of a display."""

# Where a tile is. A tile of a seat: `SEAT_PLACES` for each seat follow, relative to the observer.
UNKNOWN: Final = 0
DISCARDED: Final = 1
REPLACED: Final = 2
UNUSED: Final = 3
OPEN: Final = 4
"""On top of pile 0; those of the other piles follow."""
OF_SEATS: Final = OPEN + components.PILES
SEAT_PLACES: Final = 2
IN_HAND: Final = 1
"""Just taken from the store, or a start tile not laid yet."""

# Where a composition card is: with nobody known, or in a hand or completed, by seat relative to the observer.
CARD_PLACES: Final = 2

PLACES: Final = argument(list(range(SQUARES)))


def _actions() -> ActionTable:
    start_squares = [square for square in range(SQUARES) if moves.START_SQUARES[square] >= 0]
    return ActionTable(
        [
            Block(moves.LayStartTile, [argument(list(range(components.FIRST_STORE_TILE))), argument(start_squares)]),
            Block(moves.RotateStore, [argument(list(range(components.PILES)))]),
            Block(moves.PlaceTile, [PLACES]),
            Block(
                compositions.Complete, [argument(list(range(CARDS))), PLACES, argument(list(range(compositions.TURNS)))]
            ),
            Block(moves.Pass, []),
            Block(moves.Launch, [PLACES]),
        ]
    )


ACTIONS: Final[ActionTable] = _actions()


DISPLAYED: Final = [
    [
        [bytes([place, column(square) & 255, row(square) & 255, exploded]) for square in range(SQUARES)]
        for exploded in range(2)
    ]
    for place in range(OF_SEATS, OF_SEATS + SEAT_PLACES * MAX_SEATS, SEAT_PLACES)
]
"""The numbers of a tile on a display, by seat relative to the observer, whether it has exploded, and square."""
ELSEWHERE: Final = [bytes([place, 0, 0, 0]) for place in range(OF_SEATS + SEAT_PLACES * MAX_SEATS)]
"""The numbers of a tile on no display, by where it is."""
PLACEMENTS: Final = [bytes([column(square) & 255, row(square) & 255]) for square in range(SQUARES)]
NO_PLACEMENT: Final = bytes(2)
STAGES: Final = one_hot_table(stages.OVER + 1)
OFFSETS: Final = one_hot_table(components.PILES)
SIGNS: Final = one_hot_table(len(components.SIGNS))
"""`NO_SIGN` is the last."""


class SpringFestivalEncoding(Encoding):
    """The numbers of Spring Festival. `encode` writes the slices in the order in which the constructor adds them."""

    def __init__(self, game: Game[Any, Any, Any, Any], seat_count: int, options: SpringFestivalOptions) -> None:
        layout = Layout()
        layout.add(
            "tiles",
            4 * TILES,
            FARTHEST,
            "of each tile where it is (0 unknown, 1 discarded, 2 replaced, 3 unused, 4 to 7 on top of a pile, then for "
            "each seat its display and its hand); on a display how far right of and below the middle, and 1 if it has "
            "exploded",
            -FARTHEST,
        )
        layout.add("stage", stages.OVER + 1, 1, "what happens next, one of the stages is 1")
        layout.add("round", 1, components.ROUNDS, "the round, 0 in the setup")
        layout.add("active", seat_count, 1, "the active seat is 1, relative to the observer")
        layout.add("composing", seat_count, 1, "the seat that completes compositions is 1")
        layout.add("offset", components.PILES, 1, "the position of the store is 1")
        layout.add("sign", len(components.SIGNS), 1, "the sign is 1")
        layout.add("placement", 2, FARTHEST, "x and y of the observer's chosen square", -FARTHEST)
        layout.add("pile_sizes", components.PILES, components.STORE_TILES, "tiles in each pile")
        for seat in range(seat_count):
            layout.add(f"laid_{seat}", 1, MAX_TILES, "number of tiles on the seat's display")
            layout.add(f"committed_{seat}", 1, 1, "1 if the seat has chosen a square for its tile")
            layout.add(f"applause_{seat}", 1, components.MAX_APPLAUSE, "applause of the seat")
            layout.add(f"launched_{seat}", 1, 1, "1 if the seat has begun its finale")
            layout.add(f"left_{seat}", 1, 1, "1 if the seat's player has left")
        layout.add(
            "cards",
            CARDS,
            CARD_PLACES * seat_count,
            "where each composition is: 0 not dealt, then by seat hand and completed",
        )
        super().__init__(game, seat_count, options, ACTIONS, layout)
        # A seat lays its set, and in each round turns the store, places a tile and passes; then it launches. No card
        # is completed twice.
        self.max_moves = seat_count * (components.SET_SIZE + 3 * components.ROUNDS + 1) + CARDS
        self.max_chance_outcomes = components.STORE_TILES
        self._seats: Final = one_hot_table(seat_count)
        used = components.SET_SIZE * seat_count
        self._hidden_tiles: Final = [
            ELSEWHERE[UNUSED if used <= tile < components.FIRST_STORE_TILE else UNKNOWN] for tile in range(TILES)
        ]
        """The numbers of the tiles of which nothing is known."""

    def encode(self, state: SpringFestivalState, seat: int) -> bytes:
        count = self.seat_count
        pieces = self._hidden_tiles[:]
        cards = bytearray(CARDS)
        for tile in state.discards:
            pieces[tile] = ELSEWHERE[DISCARDED]
        for tile in state.replaced:
            pieces[tile] = ELSEWHERE[REPLACED]
        for pile, tile in enumerate(state.top_tiles):
            if tile != components.NO_TILE:
                pieces[tile] = ELSEWHERE[OPEN + pile]
        if not state.round:
            for tile in unlaid_start_tiles(state, seat):
                pieces[tile] = ELSEWHERE[OF_SEATS + IN_HAND]
        active, composing = state.active_seat, state.composing_seat
        placement = state.seats[seat].placement
        pieces += [
            STAGES[state.stage],
            BYTES[state.round],
            self._seats[relative(active, seat, count) if active >= 0 else count],
            self._seats[relative(composing, seat, count) if composing >= 0 else count],
            OFFSETS[state.offset],
            SIGNS[state.sign],
            PLACEMENTS[placement] if placement != NO_SQUARE else NO_PLACEMENT,
        ]
        for pile in range(components.PILES):
            pieces.append(BYTES[pile_size(state, pile)])
        for number in range(count):
            other = state.seats[(seat + number) % count]
            if state.round or not number:  # until all have laid their start tiles, others see none (FW-11)
                _put_display(pieces, other.display, DISPLAYED[number])
            if other.tile != components.NO_TILE:
                pieces[other.tile] = ELSEWHERE[OF_SEATS + SEAT_PLACES * number + IN_HAND]
            for card in other.cards:
                cards[card] = 1 + CARD_PLACES * number
            for card in other.completed:
                cards[card] = 2 + CARD_PLACES * number
            pieces += [
                BYTES[len(other.display.tiles)],
                BYTES[other.placement != NO_SQUARE],
                BYTES[other.applause],
                BYTES[other.has_launched],
                BYTES[other.has_left],
            ]
        pieces.append(bytes(cards))
        return b"".join(pieces)


def _put_display(pieces: list[bytes], display: Display, displayed: list[list[bytes]]) -> None:
    """Set the numbers of the tiles of a display: the pieces begin with those of all tiles."""
    squares = display.squares
    exploded = display.exploded
    for slot, tile in enumerate(display.tiles):
        pieces[tile] = displayed[exploded >> slot & 1][squares[slot]]


def encoding(game: Game[Any, Any, Any, Any], seat_count: int, options: Options) -> SpringFestivalEncoding:
    """The encoding of Spring Festival with a number of seats and options."""
    assert isinstance(options, SpringFestivalOptions)
    return SpringFestivalEncoding(game, seat_count, options)
