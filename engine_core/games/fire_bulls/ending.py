"""The end of a match of Fire Bulls: quiet turns, the reasons to end, and the card lost at the third exhaustion."""

from __future__ import annotations

from engine_core.games.fire_bulls import stages
from engine_core.games.fire_bulls.components import (
    EMPTY,
    EMPTY_PILES_TO_END,
    EXHAUSTIONS_TO_END,
    QUIET_TURNS_PER_SEAT,
    adjusted,
)
from engine_core.games.fire_bulls.score import penalty_card
from engine_core.games.fire_bulls.state import GENERAL_WON, NO_SEAT, FireBullsSeat, FireBullsState


def count_quiet(state: FireBullsState) -> None:
    """Count consecutive turns without a draw or capture; too many of them count as an exhaustion (FB-27)."""
    state.quiet_turns = 0 if state.lively else state.quiet_turns + 1
    if state.quiet_turns >= QUIET_TURNS_PER_SEAT * len(state.seats):
        state.quiet_turns = 0
        state.exhaustions += 1


def reason_to_end(state: FireBullsState) -> str:
    """Why the match ends with this turn; empty if it does not (FB-69, FB-73, FB-87)."""
    if state.exhaustions >= EXHAUSTIONS_TO_END:
        return "exhaustion"
    if state.general == GENERAL_WON and state.piles.count(0) >= EMPTY_PILES_TO_END:
        return "general"
    if _players(state) <= 1:
        return "left"
    return ""


def _players(state: FireBullsState) -> int:
    """How many seats have not left."""
    players = 0
    for seat in state.seats:
        if not seat.left:
            players += 1
    return players


def end_match(state: FireBullsState) -> None:
    """End the match: clear what belongs to the running turn (FB-90), and take the penalties."""
    state.stage = stages.OVER
    state.active = NO_SEAT
    state.lively = False
    state.forget_attack()
    if state.reason == "exhaustion":
        for seat in state.seats:
            _take_penalty(state, seat)


def _take_penalty(state: FireBullsState, seat: FireBullsSeat) -> None:
    """The seat loses the card of `penalty_card` (FB-76 to FB-78)."""
    card = penalty_card(seat)
    if card != EMPTY:
        seat.victory = adjusted(seat.victory, card, -1)
        seat.penalty = card
        state.removed = adjusted(state.removed, card, 1)
