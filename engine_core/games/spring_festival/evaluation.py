"""How good a position of Spring Festival looks for a seat."""

from __future__ import annotations

from typing import Final

from engine_core.games.spring_festival.compositions import COMPOSITIONS, Complete, completions
from engine_core.games.spring_festival.display import Display, size
from engine_core.games.spring_festival.score import breakdown
from engine_core.games.spring_festival.state import OVER, Seat, SpringFestivalState

AT_HAND: Final = 0.9
"""Of the points of a card that the display matches now, before or in the seat's turn to complete it."""
EXPLODED: Final = 0.35
"""What an exploded tile is worth for compositions to come."""
ROCKET: Final = 0.25
"""What a tile that has not exploded is worth for chains to come and the finale."""


def evaluate(state: SpringFestivalState, seat: int) -> float:
    """Points as they stand, what the cards in hand may bring, and what the display is good for."""
    player = state.seats[seat]
    points = float(sum([line.points for line in breakdown(state, player)]))
    if state.stage == OVER:
        return points
    return points + _display(player.display) + _cards(player)


def _display(display: Display) -> float:
    exploded = size(display.exploded)
    return EXPLODED * exploded + ROCKET * (len(display.tiles) - exploded)


def _cards(player: Seat) -> float:
    """Each card counts once, however often it matches."""
    matched = {move.card for move in completions(player.display, player.cards) if isinstance(move, Complete)}
    return AT_HAND * sum([COMPOSITIONS[card].points for card in matched])
