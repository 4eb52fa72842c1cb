"""Score of a Fire Bulls match: points, penalty and ranks."""

from __future__ import annotations

from typing import Final

from engine_core.game import Points, Score
from engine_core.games.fire_bulls.components import ALL_COLOURS, EMPTY, POINT_CARDS, POINT_KINDS, VALUES
from engine_core.games.fire_bulls.state import FireBullsSeat, FireBullsState
from engine_core.ranking import ranked_score

COLOUR_POINTS: Final = 1
"""Points for each card of the seat's own colour (FB-79)."""


def has_colour(card: int, colour: int) -> bool:
    """Whether a point card shows a symbol of that colour (FB-79)."""
    shown = POINT_CARDS[card].colour
    return shown in (colour, ALL_COLOURS)


def penalty_card(seat: FireBullsSeat) -> int:
    """The card that a seat loses at the third exhaustion (FB-77); `EMPTY` without cards (FB-78)."""
    held = [card for card in range(POINT_KINDS) if seat.victory[card]]
    if not held:
        return EMPTY
    return min(held, key=lambda card: (-VALUES[card], has_colour(card, seat.colour), card))


def card_points(victory: bytes) -> int:
    """The values of captured cards."""
    return sum([victory[card] * VALUES[card] for card in range(POINT_KINDS)])


def colour_points(victory: bytes, colour: int) -> int:
    """`COLOUR_POINTS` for each captured card of a colour."""
    return COLOUR_POINTS * sum([victory[card] for card in range(POINT_KINDS) if has_colour(card, colour)])


def breakdown(seat: FireBullsSeat) -> list[Points]:
    """The points of a seat: values of its cards without the one lost, and `COLOUR_POINTS` for each of its colour."""
    lost = 0 if seat.penalty == EMPTY else VALUES[seat.penalty]
    cards = card_points(seat.victory)
    return [
        Points("cards", cards + lost),
        Points("penalty", -lost),
        Points("colour", colour_points(seat.victory, seat.colour)),
    ]


def highest_value(victory: bytes) -> int:
    """Value of the highest captured card, -1 without cards: the tie-break (FB-81)."""
    return max([VALUES[card] for card in range(POINT_KINDS) if victory[card]], default=-1)


def score(state: FireBullsState) -> Score:
    """Ranks by points, then by the highest card; seats that have left come last (FB-82, FB-87)."""
    breakdowns = [breakdown(seat) for seat in state.seats]
    keys: list[tuple[int, ...]] = [
        (not seat.has_left, sum([line.points for line in lines]), highest_value(seat.victory))
        for seat, lines in zip(state.seats, breakdowns, strict=True)
    ]
    return ranked_score(breakdowns, keys, state.reason)
