"""Heuristic evaluation of a position of Spring Festival, in points."""

from __future__ import annotations

from typing import Final

from engine_core.games.spring_festival import stages
from engine_core.games.spring_festival.components import ROUNDS
from engine_core.games.spring_festival.compositions import COMPOSITIONS, Complete, completions
from engine_core.games.spring_festival.display import Display, slot_count
from engine_core.games.spring_festival.score import breakdown
from engine_core.games.spring_festival.state import NO_SEAT, SpringFestivalSeat, SpringFestivalState

CARD_WEIGHT: Final = 0.3
"""Share of the points of a matching card: completing it brings far more, with a new card drawn."""
EXPLODED_TILE_VALUE: Final = 0.35
"""Value of an exploded tile for later compositions."""
ROCKET_VALUE: Final = 0.25
"""Value of an unexploded tile for later chains and the finale."""


def evaluate(state: SpringFestivalState, seat: int) -> float:
    """Heuristic value for a seat: its points, plus the value of its cards and of its display."""
    player = state.seats[seat]
    points = float(sum([line.points for line in breakdown(state, player)]))
    if state.stage == stages.OVER or player.has_launched:
        return points
    if state.stage == stages.FINALE:
        return points + _longest_chain(player.display)
    elapsed = state.round / ROUNDS
    display_value = elapsed * _longest_chain(player.display) + (1.0 - elapsed) * _display_value(player.display)
    return (
        points + display_value + (CARD_WEIGHT * _matching_card_points(player) if _composes_again(state, seat) else 0.0)
    )


def _display_value(display: Display) -> float:
    exploded = slot_count(display.exploded)
    return EXPLODED_TILE_VALUE * exploded + ROCKET_VALUE * (len(display.tiles) - exploded)


def _longest_chain(display: Display) -> int:
    """Length of the longest chain in the finale, in which all tiles are rockets."""
    rockets = display.copy()
    rockets.exploded = 0
    longest = 0
    covered = 0
    for slot in range(len(rockets.tiles)):
        if not covered >> slot & 1:  # a chain from a tile of an earlier chain cannot be longer
            chain = rockets.explosion_chain(slot)
            covered |= chain
            longest = max(longest, slot_count(chain))
    return longest


def _matching_card_points(player: SpringFestivalSeat) -> int:
    """Points of the cards that match the display, each counted once."""
    matched = {move.card for move in completions(player.display, player.cards) if isinstance(move, Complete)}
    return sum([COMPOSITIONS[card].points for card in matched])


def _composes_again(state: SpringFestivalState, seat: int) -> bool:
    """Whether the seat will still have a turn to complete cards: not once that of the last round is past."""
    if state.round < ROUNDS or state.stage not in (stages.COMPOSING, stages.PATTERN_DEAL, stages.COLOUR_DEAL):
        return True
    seat_count = len(state.seats)
    return (
        state.composing_seat != NO_SEAT
        and (state.composing_seat - state.active_seat) % seat_count <= (seat - state.active_seat) % seat_count
    )
