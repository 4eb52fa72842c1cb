"""Deals what an observer of Fire Bulls has not seen: the deck and the hands of the others."""

from __future__ import annotations

from random import Random

from engine_core.games.fire_bulls.cards import FULL_DECK, ONE, number_of, pack, size
from engine_core.games.fire_bulls.payments import spelled
from engine_core.games.fire_bulls.state import FireBullsState
from engine_core.sampling import sample


def _deal(cards: int, number: int, random: Random) -> int:
    """So many cards drawn from a set, every subset with the same chance."""
    drawn = 0
    for card in sample(spelled(cards), number, random):
        drawn += ONE[card]
    return drawn


def _least(one: int, other: int) -> int:
    """For each kind the lesser number."""
    return pack([min(number_of(one, card), number_of(other, card)) for card in range(6)])


def determinize(state: FireBullsState, observer: int, random: Random) -> FireBullsState:
    """A state that looks the same to the observer (FB-90).

    What the public knows of a hand stays in it. The deck is drawn from the unseen cards, as far as it may hold them;
    the rest goes to the hands.
    """
    twin = state.copy()
    others = [seat for number, seat in enumerate(twin.seats) if number != observer]
    unseen = FULL_DECK - twin.reserve - twin.discards
    at_most = twin.at_most
    if observer >= 0:
        unseen -= twin.seats[observer].hand
        at_most = twin.seats[observer].at_most
    for seat in others:
        unseen -= seat.known
    twin.deck = _deal(_least(unseen, at_most), size(twin.deck), random)
    unseen -= twin.deck
    for seat in others:
        dealt = _deal(unseen, size(seat.hand) - size(seat.known), random)
        unseen -= dealt
        seat.hand = seat.known + dealt
        seat.at_most = twin.at_most
    return twin
