"""How good a position of Fire Bulls looks for a seat."""

from __future__ import annotations

from typing import Final

from engine_core.games.fire_bulls.cards import LINES, VALUES, WARRIOR, number_of, size
from engine_core.games.fire_bulls.score import breakdown
from engine_core.games.fire_bulls.state import OVER, FireBullsState, Seat

CARD: Final = 0.5
"""What an attack card in the hand is worth; costs grow as fast as values, and a card wins about one point."""
MANY: Final = 7
"""From so many cards on, further ones are worth less: they will not all be spent in one attack."""
FURTHER_CARD: Final = 0.2
WARRIOR_CARD: Final = 0.4
"""What a warrior, which stands for any colour, is worth beyond another card."""
REACH: Final = 0.04
"""Of the value of the cards that the pawn stands before."""


def evaluate(state: FireBullsState, seat: int) -> float:
    """Points as they stand, and what the hand and the place may still bring."""
    player = state.seats[seat]
    points = float(sum([line.points for line in breakdown(player)]))
    return points if state.stage == OVER else points + _hand(player.hand) + _reach(state, player)


def _hand(hand: int) -> float:
    cards = size(hand)
    further = max(0, cards - MANY)
    return CARD * (cards - further) + FURTHER_CARD * further + WARRIOR_CARD * number_of(hand, WARRIOR)


def _reach(state: FireBullsState, player: Seat) -> float:
    return REACH * sum([VALUES[state.squares[square]] for square in LINES[player.place] if state.squares[square] >= 0])
