"""Deals what an observer of Fireship has not seen: the deck, the hands of the others and their sealed answers."""

from __future__ import annotations

from random import Random

from engine_core.games.fireship import windows
from engine_core.games.fireship.components import CARD_KINDS, FULL_DECK, KEPT, ONE, number_of, pack, size
from engine_core.games.fireship.state import FireshipState
from engine_core.sampling import sample


def _spelled(cards: int) -> list[int]:
    """Every single card."""
    return [card for card in range(CARD_KINDS) for _ in range(number_of(cards, card))]


def _deal(cards: int, number: int, random: Random) -> int:
    """So many cards drawn from a set, every subset with the same chance."""
    drawn = 0
    for card in sample(_spelled(cards), number, random):
        drawn += ONE[card]
    return drawn


def _least(one: int, other: int) -> int:
    """For each kind the lesser number."""
    return pack([min(number_of(one, card), number_of(other, card)) for card in range(CARD_KINDS)])


def determinize(state: FireshipState, observer: int, random: Random) -> FireshipState:
    """A state that looks the same to the observer (FS-116).

    Hands hold kept kinds only, so all others that are unseen lie in the deck; the rest of the deck is drawn from the
    unseen cards, as far as it may hold them. A sealed answer of another seat is any that its hand allows.
    """
    twin = state.copy()
    others = [number for number in range(len(twin.seats)) if number != observer]
    unseen = FULL_DECK - twin.discards
    at_most = twin.at_most
    if observer >= 0:
        unseen -= twin.seats[observer].hand
        at_most = twin.seats[observer].at_most
    must = unseen - (unseen & KEPT)
    twin.deck = must + _deal(_least(unseen, at_most) & KEPT, size(twin.deck) - size(must), random)
    unseen -= twin.deck
    for number in others:
        seat = twin.seats[number]
        seat.hand = _deal(unseen, size(seat.hand), random)
        unseen -= seat.hand
        seat.at_most = twin.at_most
        if seat.answer:
            seat.answer = random.choice(windows.answers(twin, number))
    return twin
