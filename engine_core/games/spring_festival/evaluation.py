"""Heuristic evaluation of a position of Spring Festival, in points."""

from __future__ import annotations

from typing import Final

from engine_core.games.spring_festival import stages
from engine_core.games.spring_festival.components import ROUNDS
from engine_core.games.spring_festival.compositions import COMPOSITIONS, Complete, completions
from engine_core.games.spring_festival.display import Display, size
from engine_core.games.spring_festival.score import breakdown
from engine_core.games.spring_festival.state import NO_SEAT, SpringFestivalSeat, SpringFestivalState

AT_HAND: Final = 0.3
"""Of the points of a card that the display matches: far less than they are once it is completed and another drawn."""
EXPLODED: Final = 0.35
"""What an exploded tile is worth for compositions to come."""
ROCKET: Final = 0.25
"""What a tile that has not exploded is worth for chains to come and the finale."""


def evaluate(state: SpringFestivalState, seat: int) -> float:
    """Points as they stand, what the cards in hand may bring, and what the display is good for."""
    player = state.seats[seat]
    points = float(sum([line.points for line in breakdown(state, player)]))
    if state.stage == stages.OVER or player.launched:
        return points
    if state.stage == stages.FINALE:
        return points + _finale(player.display)
    past = state.round / ROUNDS
    worth = past * _finale(player.display) + (1.0 - past) * _display(player.display)
    return points + worth + (AT_HAND * _cards(player) if _composes_again(state, seat) else 0.0)


def _display(display: Display) -> float:
    exploded = size(display.exploded)
    return EXPLODED * exploded + ROCKET * (len(display.tiles) - exploded)


def _finale(display: Display) -> int:
    """What the best rocket would set off if all tiles were rockets, as they are then."""
    rockets = display.copy()
    rockets.exploded = 0
    best = 0
    met = 0
    for slot in range(len(rockets.tiles)):
        if not met >> slot & 1:  # what a chain sets off has no longer one of its own
            chain = rockets.chain(slot)
            met |= chain
            best = max(best, size(chain))
    return best


def _cards(player: SpringFestivalSeat) -> int:
    """Each card counts once, however often it matches."""
    matched = {move.card for move in completions(player.display, player.cards) if isinstance(move, Complete)}
    return sum([COMPOSITIONS[card].points for card in matched])


def _composes_again(state: SpringFestivalState, seat: int) -> bool:
    """Whether the seat will still have a turn to complete its cards: not after that of the last round."""
    if state.round < ROUNDS or state.stage not in (stages.COMPOSING, stages.PATTERN_DEAL, stages.COLOUR_DEAL):
        return True
    seats = len(state.seats)
    return state.composer != NO_SEAT and (state.composer - state.active) % seats <= (seat - state.active) % seats
