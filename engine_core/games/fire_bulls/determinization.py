"""Determinization of Fire Bulls: deals the cards that an observer has not seen to the deck and the other hands."""

from __future__ import annotations

from random import Random

from engine_core import packed
from engine_core.games.fire_bulls.components import FULL_DECK
from engine_core.games.fire_bulls.state import FireBullsState
from engine_core.sampling import sample_cards


def determinize(state: FireBullsState, observer: int, random: Random) -> FireBullsState:
    """A state that looks the same to the observer (FB-90).

    Cards publicly known to be in a hand stay there. The deck is dealt from the unseen cards, within the limits of what
    it may hold; the rest goes to the hands.
    """
    getrandbits = random.getrandbits
    copied = state.copy()
    others = [seat for number, seat in enumerate(copied.seats) if number != observer]
    unseen = FULL_DECK - copied.reserve - copied.discards
    at_most = copied.deck_at_most
    if observer >= 0:
        unseen -= copied.seats[observer].hand
        at_most = copied.seats[observer].deck_at_most
    for seat in others:
        unseen -= seat.known_cards
    copied.deck = sample_cards(packed.intersection(unseen, at_most), packed.size(copied.deck), getrandbits)
    unseen -= copied.deck
    for seat in others:
        dealt = sample_cards(unseen, packed.size(seat.hand) - packed.size(seat.known_cards), getrandbits)
        unseen -= dealt
        seat.hand = seat.known_cards + dealt
        seat.deck_at_most = copied.deck_at_most
    return copied
