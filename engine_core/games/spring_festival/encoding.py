"""Encoding of Spring Festival: the table of its actions, and the layout of observations."""

from __future__ import annotations

from typing import Any, Final

from engine_core.encodings import Encoding, relative
from engine_core.encodings.actions import ActionTable, Block, each
from engine_core.encodings.layout import Features, Layout
from engine_core.game import Game, Options
from engine_core.games.spring_festival import components, compositions, moves, stages
from engine_core.games.spring_festival.squares import FARTHEST, MIDDLE, NO_SQUARE, SQUARES, WIDTH
from engine_core.games.spring_festival.state import NO_SIGN, SpringFestivalOptions
from engine_core.games.spring_festival.view import SpringFestivalSeatView, SpringFestivalView

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
ON_DISPLAY: Final = 0
IN_HAND: Final = 1
"""Just taken from the store, or a start tile not laid yet."""

# Where a composition card is: with nobody known, or in a hand or completed, by seat relative to the observer.
CARD_PLACES: Final = 2

PLACES: Final = each(list(range(SQUARES)))


def _actions() -> ActionTable:
    start_squares = [square for square in range(SQUARES) if moves.START_SQUARES[square] >= 0]
    return ActionTable(
        [
            Block(moves.LayStartTile, [each(list(range(components.FIRST_STORE_TILE))), each(start_squares)]),
            Block(moves.RotateStore, [each(list(range(components.PILES)))]),
            Block(moves.PlaceTile, [PLACES]),
            Block(compositions.Complete, [each(list(range(CARDS))), PLACES, each(list(range(compositions.TURNS)))]),
            Block(moves.Pass, []),
            Block(moves.Launch, [PLACES]),
        ]
    )


ACTIONS: Final[ActionTable] = _actions()


class SpringFestivalEncoding(Encoding):
    """The numbers of Spring Festival."""

    def __init__(self, game: Game[Any, Any, Any, Any], seat_count: int, options: SpringFestivalOptions) -> None:
        layout = Layout()
        seats = seat_count
        self.stage: Final = layout.add("stage", stages.OVER + 1, 1, "what happens next, one of the stages is 1")
        self.round: Final = layout.add("round", 1, components.ROUNDS, "the round, 0 in the setup")
        self.active: Final = layout.add("active", seats, 1, "the active seat is 1, relative to the observer")
        self.composing: Final = layout.add("composing", seats, 1, "the seat that completes compositions is 1")
        self.offset: Final = layout.add("offset", components.PILES, 1, "the position of the store is 1")
        self.sign: Final = layout.add("sign", len(components.SIGNS), 1, "the sign is 1")
        most = OF_SEATS + SEAT_PLACES * seats - 1
        self.tiles: Final = layout.add(
            "tiles",
            TILES,
            most,
            "where each tile is: 0 unknown, 1 discarded, 2 replaced, 3 unused, 4 to 7 on top of a pile, "
            "then for each seat its display and its hand",
        )
        self.x: Final = layout.add(
            "x", TILES, FARTHEST, "how far right of the middle each tile of a display is", -FARTHEST
        )
        self.y: Final = layout.add(
            "y", TILES, FARTHEST, "how far below the middle each tile of a display is", -FARTHEST
        )
        self.exploded: Final = layout.add("exploded", TILES, 1, "1 for each tile of a display that has exploded")
        self.laid: Final = layout.add("laid", seats, MAX_TILES, "number of tiles on each display")
        self.committed: Final = layout.add("committed", seats, 1, "1 for a seat that has chosen a square for its tile")
        self.placement: Final = layout.add(
            "placement", 2, FARTHEST, "x and y of the observer's chosen square", -FARTHEST
        )
        self.cards: Final = layout.add(
            "cards",
            CARDS,
            CARD_PLACES * seats,
            "where each composition is: 0 not dealt, then by seat hand and completed",
        )
        self.applause: Final = layout.add("applause", seats, components.MAX_APPLAUSE, "applause of each seat")
        self.launched: Final = layout.add("launched", seats, 1, "1 for a seat that has begun its finale")
        self.left: Final = layout.add("left", seats, 1, "1 for a seat whose player has left")
        self.pile_sizes: Final = layout.add(
            "pile_sizes", components.PILES, components.STORE_TILES, "tiles in each pile"
        )
        super().__init__(game, seat_count, options, ACTIONS, layout)
        # A seat lays its set, and in each round turns the store, places a tile and passes; then it launches. No card
        # is completed twice.
        self.max_moves = seats * (components.SET_SIZE + 3 * components.ROUNDS + 1) + CARDS
        self.max_chance_outcomes = components.STORE_TILES

    def encode(self, view: SpringFestivalView, seat: int) -> bytes:
        features = Features(self.layout.size)
        features.put(self.stage + view.stage, 1)
        features.put(self.round, view.round)
        if view.active_seat >= 0:
            features.put(self.active + relative(view.active_seat, seat, self.seat_count), 1)
        if view.composing_seat >= 0:
            features.put(self.composing + relative(view.composing_seat, seat, self.seat_count), 1)
        features.put(self.offset + view.offset, 1)
        if view.sign != NO_SIGN:
            features.put(self.sign + view.sign, 1)
        for place, tiles in ((DISCARDED, view.discards), (REPLACED, view.replaced), (UNUSED, view.unused)):
            for tile in tiles:
                features.put(self.tiles + tile, place)
        for pile, tile in enumerate(view.top_tiles):
            if tile != components.NO_TILE:
                features.put(self.tiles + tile, OPEN + pile)
        for number, each_seat in enumerate(view.seats):
            self._encode_seat(features, each_seat, relative(number, seat, self.seat_count))
        features.put_all(self.pile_sizes, view.pile_sizes)
        return features.to_bytes()

    def _encode_seat(self, features: Features, seat: SpringFestivalSeatView, number: int) -> None:
        """Encode a seat, the `number`-th clockwise of the observer."""
        where = OF_SEATS + SEAT_PLACES * number
        display = seat.display
        for slot, tile in enumerate(display.tiles):
            row, column = divmod(display.squares[slot], WIDTH)
            features.put(self.tiles + tile, where + ON_DISPLAY)
            features.put(self.x + tile, column - MIDDLE)
            features.put(self.y + tile, row - MIDDLE)
            features.put(self.exploded + tile, display.exploded >> slot & 1)
        for tile in seat.unlaid:
            features.put(self.tiles + tile, where + IN_HAND)
        if seat.tile != components.NO_TILE:
            features.put(self.tiles + seat.tile, where + IN_HAND)
        features.put(self.laid + number, seat.laid)
        features.put(self.committed + number, int(seat.committed))
        if seat.placement != NO_SQUARE:
            row, column = divmod(seat.placement, WIDTH)
            features.put(self.placement, column - MIDDLE)
            features.put(self.placement + 1, row - MIDDLE)
        for card in seat.cards:
            features.put(self.cards + card, 1 + CARD_PLACES * number)
        for card in seat.completed:
            features.put(self.cards + card, 2 + CARD_PLACES * number)
        features.put(self.applause + number, seat.applause)
        features.put(self.launched + number, int(seat.has_launched))
        features.put(self.left + number, int(seat.has_left))


def encoding(game: Game[Any, Any, Any, Any], seat_count: int, options: Options) -> SpringFestivalEncoding:
    """The encoding of Spring Festival with a number of seats and options."""
    assert isinstance(options, SpringFestivalOptions)
    return SpringFestivalEncoding(game, seat_count, options)
