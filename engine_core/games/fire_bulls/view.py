"""The view of a seat or spectator of Fire Bulls, built from public facts and the observer's own hand."""

from __future__ import annotations

from typing import Final

from engine_core import packed
from engine_core.game import View, ViewPart
from engine_core.games.fire_bulls.components import NO_POINT_CARDS
from engine_core.games.fire_bulls.state import FireBullsState

NO_HAND: Final = -1
"""The hand of a seat that is not the observer's."""


class FireBullsSeatView(ViewPart):
    """A seat as the observer sees it: `hand` is `NO_HAND` unless it is the observer's own."""

    def __init__(self, state: FireBullsState, number: int, observer: int) -> None:
        seat = state.seats[number]
        self.colour = seat.colour
        self.place = seat.place
        self.hand_size = packed.size(seat.hand)
        self.hand: int = seat.hand if number == observer else NO_HAND
        self.known_cards: int = seat.known_cards
        self.victory: bytes = seat.victory
        self.won_this_turn: bytes = state.won_this_turn if number == state.active_seat else NO_POINT_CARDS
        self.penalty = seat.penalty
        self.has_left = seat.has_left


class FireBullsView(View):
    """A position as an observer knows it (FB-09).

    `undrawn` is public, since every other point card has been seen. `deck_at_most` is the observer's upper bound of the
    number of cards of each kind in the deck (FB-90).
    """

    def __init__(self, state: FireBullsState, observer: int) -> None:
        self.profile: str = state.options.profile
        self.stage = state.stage
        self.active_seat = state.active_seat
        self.seats = [FireBullsSeatView(state, number, observer) for number in range(len(state.seats))]
        self.squares = state.squares[:]
        self.piles: bytes = state.piles
        self.undrawn: bytes = state.undrawn
        self.removed: bytes = state.removed
        self.general_place = state.general_place
        self.general_winner = state.general_winner
        self.deck_size = packed.size(state.deck)
        self.deck_at_most: int = state.seats[observer].deck_at_most if observer >= 0 else state.deck_at_most
        self.discards: int = state.discards
        self.reserve: int = state.reserve
        self.exhaustions = state.exhaustions
        self.quiet_turns = state.quiet_turns
        self.direction = state.direction
        self.captures = state.captures
        self.capture_limit = state.capture_limit
        self.warriors_owed = state.warriors_owed
        self.power_card = state.power_card


def view(state: FireBullsState, observer: int) -> FireBullsView:
    """The view of a position for a seat or a spectator."""
    return FireBullsView(state, observer)
