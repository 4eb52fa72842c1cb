"""Determinization of Fireship: deals unseen cards to the deck and the other hands, and draws their sealed answers."""

from __future__ import annotations

from random import Random

from engine_core import packed
from engine_core.games.fireship import windows
from engine_core.games.fireship.components import FULL_DECK, HAND_CARD_LANES
from engine_core.games.fireship.state import FireshipState
from engine_core.sampling import sample_cards


def determinize(state: FireshipState, observer: int, random: Random) -> FireshipState:
    """A state that looks the same to the observer (FS-116).

    Hands hold only kinds of cards to keep, so all unseen cards of other kinds are in the deck; the rest of the deck is
    dealt from the unseen cards, within the limits of what it may hold. A sealed answer is any that the hand allows.
    """
    getrandbits = random.getrandbits
    copied = state.copy()
    others = [number for number in range(len(copied.seats)) if number != observer]
    unseen = FULL_DECK - copied.discards
    at_most = copied.deck_at_most
    if observer >= 0:
        unseen -= copied.seats[observer].hand
        at_most = copied.seats[observer].deck_at_most
    must = unseen - (unseen & HAND_CARD_LANES)
    copied.deck = must + sample_cards(
        packed.intersection(unseen, at_most) & HAND_CARD_LANES,
        packed.size(copied.deck) - packed.size(must),
        getrandbits,
    )
    unseen -= copied.deck
    for number in others:
        seat = copied.seats[number]
        seat.hand = sample_cards(unseen, packed.size(seat.hand), getrandbits)
        unseen -= seat.hand
        seat.deck_at_most = copied.deck_at_most
        if seat.answer:
            seat.answer = random.choice(windows.legal_answers(copied, number))
    return copied
