"""The three columns of point cards of Fire Bulls: finding the nearest card, sliding, refilling from the piles."""

from __future__ import annotations

from engine_core.games.fire_bulls.components import EMPTY, LINES, PILES
from engine_core.games.fire_bulls.state import FireBullsState


def nearest_square(squares: list[int], direction: int) -> int:
    """The nearest square of a line that holds a card; `EMPTY` without one. `squares` has the card of each square."""
    for square in LINES[direction]:
        if squares[square] != EMPTY:
            return square
    return EMPTY


def slide_columns(state: FireBullsState) -> None:
    """Slide the cards of all columns towards the pawns, even where the pile is empty (FB-64)."""
    squares = state.squares
    for column in range(PILES):
        free = column
        for square in (column, column + PILES, column + 2 * PILES):
            card = squares[square]
            if card != EMPTY:
                squares[square] = EMPTY
                squares[free] = card
                free += PILES


def pile_to_fill(state: FireBullsState) -> int:
    """The leftmost pile, 1 to 3, that has cards and a free square in its column; 0 if none (FB-65, FB-66).

    The cards of a column lie without gaps, nearest first, so only its farthest square is looked at.
    """
    for pile in range(PILES):
        if state.piles[pile] and state.squares[pile + 2 * PILES] == EMPTY:
            return pile + 1
    return 0


def place_in_column(state: FireBullsState, pile: int, card: int) -> None:
    """Put a card of a pile, 1 to 3, on the nearest free square of its column."""
    square = pile - 1
    while state.squares[square] != EMPTY:
        square += PILES
    state.squares[square] = card
