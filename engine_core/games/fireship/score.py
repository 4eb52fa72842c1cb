"""Score of a Fireship match: one point per island, tie-breaks by power, and ranks."""

from __future__ import annotations

from typing import Final

from engine_core.game import Points, Score
from engine_core.games.fireship.board import ISLANDS
from engine_core.games.fireship.components import ISLAND_POWERS, POWERS
from engine_core.games.fireship.state import FireshipState
from engine_core.ranking import ranked_score

ISLAND_POINTS: Final = 1
_STILL_IN: Final = 1_000_000


def island_power(state: FireshipState, owner: int) -> int:
    """Sum of the powers of a colour's islands: the first tie-break (FS-105)."""
    return sum([ISLAND_POWERS[state.rings[island]] for island in range(ISLANDS) if state.owners[island] == owner])


def pawn_power(state: FireshipState, owner: int) -> int:
    """Power of a colour's pawns on the board, base included: the second tie-break (FS-105)."""
    return sum([number * power for number, power in zip(state.kind_counts[owner], POWERS, strict=True)])


def _key(state: FireshipState, number: int) -> tuple[int, ...]:
    """Sort key for the ranks: seats that left last (FS-109), then seats that are out by turn (FS-107), then islands."""
    seat = state.seats[number]
    colour = seat.colour
    return (
        not seat.has_left,
        seat.eliminated_in_turn if seat.eliminated_in_turn else _STILL_IN,
        state.owners.count(colour),
        island_power(state, colour),
        pawn_power(state, colour),
    )


def score(state: FireshipState) -> Score:
    """One point per island; ranks by `_key`."""
    breakdowns = [[Points("islands", ISLAND_POINTS * state.owners.count(seat.colour))] for seat in state.seats]
    return ranked_score(breakdowns, [_key(state, number) for number in range(len(state.seats))], state.reason)
