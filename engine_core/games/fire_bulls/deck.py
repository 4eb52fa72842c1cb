"""The deck of attack cards (Qi deck) of Fire Bulls: drawing, and rebuilding it from the discards."""

from __future__ import annotations

from engine_core.games.fire_bulls.components import EXHAUSTIONS_TO_END
from engine_core.games.fire_bulls.state import FireBullsState


def can_draw(state: FireBullsState) -> bool:
    """Whether a card can be drawn, if need be after rebuilding the deck (FB-21)."""
    return state.exhaustions < EXHAUSTIONS_TO_END and (state.deck != 0 or state.discards != 0)


def prepare_draw(state: FireBullsState) -> bool:
    """Rebuild the deck if it is empty. Returns whether a card can be drawn (FB-26)."""
    if not can_draw(state):
        return False
    if state.deck == 0:
        _rebuild(state)
    return True


def _rebuild(state: FireBullsState) -> None:
    """Make the discards, which are public, the new deck (FB-23): everybody knows its cards (FB-90)."""
    state.deck = state.discards
    state.discards = 0
    state.rebuilds += 1
    state.deck_at_most = state.deck
    for seat in state.seats:
        seat.deck_at_most = state.deck


def count_exhaustion(state: FireBullsState) -> None:
    """Count an exhaustion of the deck, and rebuild it unless that ends the match (FB-22, FB-23)."""
    state.exhaustions += 1
    if state.exhaustions < EXHAUSTIONS_TO_END and state.discards:
        _rebuild(state)
