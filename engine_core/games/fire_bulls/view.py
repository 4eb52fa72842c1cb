"""What an observer of Fire Bulls may know: built from what may be seen, public facts first."""

from __future__ import annotations

from typing import Final

from engine_core.game import View
from engine_core.games.fire_bulls.cards import NOTHING, size
from engine_core.games.fire_bulls.state import FireBullsState

NO_HAND: Final = -1
"""The hand of a seat that is not the observer's."""


class SeatView:
    """A seat as the observer sees it: `hand` is `NO_HAND` unless it is the observer's own."""

    def __init__(self, state: FireBullsState, number: int, observer: int) -> None:
        seat = state.seats[number]
        self.colour: Final = seat.colour
        self.place: Final = seat.place
        self.hand_size: Final = size(seat.hand)
        self.hand: Final[int] = seat.hand if number == observer else NO_HAND
        self.known: Final[int] = seat.known
        self.victory: Final[bytes] = seat.victory
        self.won_now: Final[bytes] = state.won_now if number == state.active else NOTHING
        self.penalty: Final = seat.penalty
        self.left: Final = seat.left


class FireBullsView(View):
    """FB-09. `undrawn` is public, since every other point card has been seen; `at_most` is the observer's (FB-90)."""

    def __init__(self, state: FireBullsState, observer: int) -> None:
        self.profile: Final[str] = state.options.profile
        self.stage: Final = state.stage
        self.active: Final = state.active
        self.seats: Final = [SeatView(state, number, observer) for number in range(len(state.seats))]
        self.squares: Final = state.squares[:]
        self.piles: Final[bytes] = state.piles
        self.undrawn: Final[bytes] = state.undrawn
        self.removed: Final[bytes] = state.removed
        self.general: Final = state.general
        self.general_winner: Final = state.general_winner
        self.deck_size: Final = size(state.deck)
        self.at_most: Final[int] = state.seats[observer].at_most if observer >= 0 else state.at_most
        self.discards: Final[int] = state.discards
        self.reserve: Final[int] = state.reserve
        self.exhaustions: Final = state.exhaustions
        self.quiet_turns: Final = state.quiet_turns
        self.direction: Final = state.direction
        self.captures: Final = state.captures
        self.capture_limit: Final = state.capture_limit
        self.warriors_owed: Final = state.warriors_owed
        self.power: Final = state.power


def view(state: FireBullsState, observer: int) -> FireBullsView:
    """The view of a seat, or of a spectator."""
    return FireBullsView(state, observer)
