"""The Qi deck of Fire Bulls: when it can give a card, and what happens when it is used up."""

from __future__ import annotations

from engine_core.games.fire_bulls.components import EXHAUSTIONS_TO_END
from engine_core.games.fire_bulls.state import FireBullsState


def can_draw(state: FireBullsState) -> bool:
    """Whether the deck can give a card, rebuilt or not (FB-21)."""
    return state.exhaustions < EXHAUSTIONS_TO_END and (state.deck != 0 or state.discards != 0)


def need_card(state: FireBullsState) -> bool:
    """Make the deck ready to give a card, if it can (FB-26)."""
    if not can_draw(state):
        return False
    if state.deck == 0:
        _rebuild(state)
    return True


def _rebuild(state: FireBullsState) -> None:
    """The public discards become the deck (FB-23), so everybody knows what it is made of (FB-90)."""
    state.deck = state.discards
    state.discards = 0
    state.rebuilds += 1
    state.at_most = state.deck
    for seat in state.seats:
        seat.at_most = state.deck


def exhaust(state: FireBullsState) -> None:
    """The last card has been drawn: the discards follow, until the match ends by it (FB-22, FB-23)."""
    state.exhaustions += 1
    if state.exhaustions < EXHAUSTIONS_TO_END and state.discards:
        _rebuild(state)
