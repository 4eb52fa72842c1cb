"""What an observer of Spring Festival may know: everything but start tiles and placements before all have chosen."""

from __future__ import annotations

from typing import Final

from engine_core.game import View
from engine_core.games.spring_festival.flow import pile_size, unlaid
from engine_core.games.spring_festival.squares import NO_SQUARE
from engine_core.games.spring_festival.state import SpringFestivalState
from engine_core.games.spring_festival.tiles import FIRST_STORE_TILE, PILES, SET_SIZE


class DisplayView:
    """Tiles with their squares, in the order in which the squares were taken; bit s of `exploded` is that of slot s."""

    def __init__(self, squares: list[int], tiles: list[int], exploded: int) -> None:
        self.squares: Final = squares
        self.tiles: Final = tiles
        self.exploded: Final = exploded


class SeatView:
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
        self.laid: Final = len(display.tiles)
        self.unlaid: Final = unlaid(state, number) if own and not state.round else []
        self.tile: Final = seat.tile
        self.committed: Final = seat.choice != NO_SQUARE
        self.choice: Final[int] = seat.choice if own else NO_SQUARE
        self.cards: Final = seat.cards[:]
        self.completed: Final = seat.completed[:]
        self.applause: Final = seat.applause
        self.launched: Final = seat.launched
        self.left: Final = seat.left


class SpringFestivalView(View):
    """FW-07, FW-08: the order of the piles is secret; what they hold together is what has not been seen."""

    def __init__(self, state: SpringFestivalState, observer: int) -> None:
        self.stage: Final = state.stage
        self.round: Final = state.round
        self.active: Final = state.active
        self.composer: Final = state.composer
        self.offset: Final = state.offset
        self.sign: Final = state.sign
        self.seats: Final = [SeatView(state, number, observer) for number in range(len(state.seats))]
        self.tops: Final = state.tops[:]
        self.pile_sizes: Final = [pile_size(state, pile) for pile in range(PILES)]
        self.undrawn: Final = state.undrawn[:]
        self.patterns: Final = state.patterns[:]
        self.colours: Final = state.colours[:]
        self.discards: Final = state.discards[:]
        self.replaced: Final = state.replaced[:]
        self.unused: Final = list(range(SET_SIZE * len(state.seats), FIRST_STORE_TILE))


def view(state: SpringFestivalState, observer: int) -> SpringFestivalView:
    """The view of a seat, or of a spectator."""
    return SpringFestivalView(state, observer)
