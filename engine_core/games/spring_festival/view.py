"""The view of a seat or spectator of Spring Festival: all but start tiles and placements that are still sealed."""

from __future__ import annotations

from engine_core.game import View
from engine_core.games.spring_festival.components import FIRST_STORE_TILE, PILES, SET_SIZE
from engine_core.games.spring_festival.effects import pile_size, unlaid
from engine_core.games.spring_festival.squares import NO_SQUARE
from engine_core.games.spring_festival.state import SpringFestivalState


class DisplayView(View):
    """Tiles with their squares, in the order in which the squares were taken; bit s of `exploded` is that of slot s."""

    def __init__(self, squares: list[int], tiles: list[int], exploded: int) -> None:
        self.squares = squares
        self.tiles = tiles
        self.exploded = exploded


class SpringFestivalSeatView(View):
    """A seat as the observer sees it.

    The display of another seat is empty until all start tiles are laid, `laid` says how many are (FW-11); `choice` is
    `NO_SQUARE` unless it is the observer's own, `committed` says that there is one (FW-30).
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
        self.unlaid = unlaid(state, number) if own and not state.round else []
        self.tile = seat.tile
        self.committed = seat.choice != NO_SQUARE
        self.choice: int = seat.choice if own else NO_SQUARE
        self.cards = seat.cards[:]
        self.completed = seat.completed[:]
        self.applause = seat.applause
        self.launched = seat.launched
        self.left = seat.left


class SpringFestivalView(View):
    """A position as an observer knows it: the tiles in all piles are public, their order is not (FW-07, FW-08)."""

    def __init__(self, state: SpringFestivalState, observer: int) -> None:
        self.stage = state.stage
        self.round = state.round
        self.active = state.active
        self.composer = state.composer
        self.offset = state.offset
        self.sign = state.sign
        self.seats = [SpringFestivalSeatView(state, number, observer) for number in range(len(state.seats))]
        self.tops = state.tops[:]
        self.pile_sizes = [pile_size(state, pile) for pile in range(PILES)]
        self.undrawn = state.undrawn[:]
        self.patterns = state.patterns[:]
        self.colours = state.colours[:]
        self.discards = state.discards[:]
        self.replaced = state.replaced[:]
        self.unused = list(range(SET_SIZE * len(state.seats), FIRST_STORE_TILE))


def view(state: SpringFestivalState, observer: int) -> SpringFestivalView:
    """The view of a position for a seat or a spectator."""
    return SpringFestivalView(state, observer)
