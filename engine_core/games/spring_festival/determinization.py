"""Determinization of Spring Festival: draws start tiles and placements that are still sealed to an observer."""

from __future__ import annotations

from random import Random

from engine_core.games.spring_festival.components import start_set
from engine_core.games.spring_festival.display import empty_display
from engine_core.games.spring_festival.squares import NO_SQUARE
from engine_core.games.spring_festival.state import SpringFestivalSeat, SpringFestivalState


def determinize(state: SpringFestivalState, observer: int, random: Random) -> SpringFestivalState:
    """A state that looks the same to the observer; sealed choices of others are random among their legal ones."""
    copied = state.copy()
    for number, seat in enumerate(copied.seats):
        if number == observer:
            continue
        if state.round == 0:
            copied.seats[number] = _random_laying(seat, number, random)
        if seat.placement != NO_SQUARE:
            seat.placement = random.choice(seat.display.reachable)
    return copied


def _random_laying(seat: SpringFestivalSeat, number: int, random: Random) -> SpringFestivalSeat:
    """A copy of the seat with the same number of start tiles, laid at random."""
    tiles = random.sample(start_set(number), len(seat.display.tiles))
    display = empty_display()
    for tile in tiles:
        display.put_tile(tile, random.choice(display.free_squares()))
    copied = SpringFestivalSeat(display, seat.cards, seat.completed)
    copied.has_left = seat.has_left
    return copied
