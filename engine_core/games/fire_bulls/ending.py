"""The end of a match of Fire Bulls: quiet turns, the reasons to end, and the card lost at the third exhaustion."""

from __future__ import annotations

from engine_core.games.fire_bulls import stages
from engine_core.games.fire_bulls.components import (
    EMPTY,
    EMPTY_PILES_TO_END,
    EXHAUSTIONS_TO_END,
    QUIET_TURNS_PER_SEAT,
    with_count_changed,
)
from engine_core.games.fire_bulls.score import penalty_card
from engine_core.games.fire_bulls.state import GENERAL_WON, NO_SEAT, FireBullsSeat, FireBullsState


def count_quiet_turn(state: FireBullsState) -> None:
    """Count consecutive turns without a draw or capture; too many of them count as an exhaustion (FB-27)."""
    state.quiet_turns = 0 if state.drew_or_captured else state.quiet_turns + 1
    if state.quiet_turns >= QUIET_TURNS_PER_SEAT * len(state.seats):
        state.quiet_turns = 0
        state.exhaustions += 1


def end_reason(state: FireBullsState) -> str:
    """Why the match ends with this turn; empty if it does not (FB-69, FB-73, FB-87)."""
    if state.exhaustions >= EXHAUSTIONS_TO_END:
        return "exhaustion"
    if state.general_place == GENERAL_WON and state.piles.count(0) >= EMPTY_PILES_TO_END:
        return "general"
    if _remaining_seats(state) <= 1:
        return "left"
    return ""


def _remaining_seats(state: FireBullsState) -> int:
    """How many seats have not left."""
    remaining = 0
    for seat in state.seats:
        if not seat.has_left:
            remaining += 1
    return remaining


def end_match(state: FireBullsState) -> None:
    """End the match: clear what belongs to the running turn (FB-90), and take the penalties."""
    state.stage = stages.OVER
    state.active_seat = NO_SEAT
    state.drew_or_captured = False
    state.clear_attack()
    if state.reason == "exhaustion":
        for seat in state.seats:
            _take_penalty(state, seat)


def _take_penalty(state: FireBullsState, seat: FireBullsSeat) -> None:
    """The seat loses the card of `penalty_card` (FB-76 to FB-78)."""
    card = penalty_card(seat)
    if card != EMPTY:
        seat.victory = with_count_changed(seat.victory, card, -1)
        seat.penalty = card
        state.removed = with_count_changed(state.removed, card, 1)
