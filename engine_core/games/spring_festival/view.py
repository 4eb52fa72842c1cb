"""The view of a seat or spectator of Spring Festival: all but start tiles and placements that are still sealed."""

from __future__ import annotations

from engine_core.game import View, ViewPart
from engine_core.games.spring_festival.components import FIRST_STORE_TILE, PILES, SET_SIZE
from engine_core.games.spring_festival.effects import pile_size, unlaid_start_tiles
from engine_core.games.spring_festival.squares import NO_SQUARE
from engine_core.games.spring_festival.state import SpringFestivalState


class DisplayView(ViewPart):
    """Tiles with their squares, in the order in which the squares were taken; bit s of `exploded` is that of slot s."""

    def __init__(self, squares: list[int], tiles: list[int], exploded: int) -> None:
        self.squares = squares
        self.tiles = tiles
        self.exploded = exploded


class SpringFestivalSeatView(ViewPart):
    """A seat as the observer sees it.

    The display of another seat is empty until all start tiles are laid, `laid` says how many are (FW-11). `placement`
    is `NO_SQUARE` unless it is the observer's own, `committed` says that there is one (FW-30).
    """

    def __init__(self, state: SpringFestivalState, number: int, observer: int) -> None:
        seat = state.seats[number]
        own = number == observer
        display = seat.display
        if own or state.round:
            self.display = DisplayView(display.squares[:], display.tiles[:], display.exploded)
        else:
            self.display = DisplayView([], [], 0)
        self.laid = len(display.tiles)
        self.unlaid = unlaid_start_tiles(state, number) if own and not state.round else []
        self.tile = seat.tile
        self.committed = seat.placement != NO_SQUARE
        self.placement: int = seat.placement if own else NO_SQUARE
        self.cards = seat.cards[:]
        self.completed = seat.completed[:]
        self.applause = seat.applause
        self.has_launched = seat.has_launched
        self.has_left = seat.has_left


class SpringFestivalView(View):
    """A position as an observer knows it: the tiles in all piles are public, their order is not (FW-07, FW-08).

    `observer` is a seat or `SPECTATOR`; the rest of a view does not say in every stage whose it is.
    """

    def __init__(self, state: SpringFestivalState, observer: int) -> None:
        self.observer = observer
        self.stage = state.stage
        self.round = state.round
        self.active_seat = state.active_seat
        self.composing_seat = state.composing_seat
        self.offset = state.offset
        self.sign = state.sign
        self.seats = [SpringFestivalSeatView(state, number, observer) for number in range(len(state.seats))]
        self.top_tiles = state.top_tiles[:]
        self.pile_sizes = [pile_size(state, pile) for pile in range(PILES)]
        self.undrawn = state.undrawn[:]
        self.undrawn_patterns = state.undrawn_patterns[:]
        self.undrawn_colours = state.undrawn_colours[:]
        self.discards = state.discards[:]
        self.replaced = state.replaced[:]
        self.unused = list(range(SET_SIZE * len(state.seats), FIRST_STORE_TILE))


def view(state: SpringFestivalState, observer: int) -> SpringFestivalView:
    """The view of a position for a seat or a spectator."""
    return SpringFestivalView(state, observer)
