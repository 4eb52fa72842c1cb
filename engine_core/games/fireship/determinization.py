"""Determinization of Fireship: deals unseen cards to the deck and the other hands, and draws their sealed answers."""

from __future__ import annotations

from random import Random

from engine_core import packed
from engine_core.games.fireship import windows
from engine_core.games.fireship.components import FULL_DECK, KEPT
from engine_core.games.fireship.state import FireshipState
from engine_core.sampling import sample_cards


def determinize(state: FireshipState, observer: int, random: Random) -> FireshipState:
    """A state that looks the same to the observer (FS-116).

    Hands hold only kinds of cards to keep, so all unseen cards of other kinds are in the deck; the rest of the deck is
    dealt from the unseen cards, within the limits of what it may hold. A sealed answer is any that the hand allows.
    """
    getrandbits = random.getrandbits
    twin = state.copy()
    others = [number for number in range(len(twin.seats)) if number != observer]
    unseen = FULL_DECK - twin.discards
    at_most = twin.deck_at_most
    if observer >= 0:
        unseen -= twin.seats[observer].hand
        at_most = twin.seats[observer].deck_at_most
    must = unseen - (unseen & KEPT)
    twin.deck = must + sample_cards(
        packed.intersection(unseen, at_most) & KEPT, packed.size(twin.deck) - packed.size(must), getrandbits
    )
    unseen -= twin.deck
    for number in others:
        seat = twin.seats[number]
        seat.hand = sample_cards(unseen, packed.size(seat.hand), getrandbits)
        unseen -= seat.hand
        seat.deck_at_most = twin.deck_at_most
        if seat.answer:
            seat.answer = random.choice(windows.legal_answers(twin, number))
    return twin
