"""The deck of attack cards (Qi deck) of Fire Bulls: drawing, and rebuilding it from the discards."""

from __future__ import annotations

from engine_core.games.fire_bulls.components import EXHAUSTIONS_TO_END
from engine_core.games.fire_bulls.state import FireBullsState


def can_draw(state: FireBullsState) -> bool:
    """Whether the deck can give a card, rebuilt or not (FB-21)."""
    return state.exhaustions < EXHAUSTIONS_TO_END and (state.deck != 0 or state.discards != 0)


def prepare_draw(state: FireBullsState) -> bool:
    """Rebuild an empty deck; whether a card can be drawn then (FB-26)."""
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
    """Count that the deck is used up, and rebuild it unless that ends the match (FB-22, FB-23)."""
    state.exhaustions += 1
    if state.exhaustions < EXHAUSTIONS_TO_END and state.discards:
        _rebuild(state)
