"""Heuristic evaluation of a position of Fire Bulls, in points."""

from __future__ import annotations

from typing import Final

from engine_core import packed
from engine_core.games.fire_bulls import stages
from engine_core.games.fire_bulls.components import EMPTY, LINES, MAX_DIRECT_CAPTURES, VALUES, WARRIOR
from engine_core.games.fire_bulls.moves import PaymentTables
from engine_core.games.fire_bulls.score import breakdown, has_colour
from engine_core.games.fire_bulls.state import FireBullsSeat, FireBullsState

CARD_VALUE: Final = 0.5
"""Value of an attack card in the hand. Costs grow as fast as values, and a card wins about one point."""
FULL_VALUE_CARDS: Final = 7
"""Cards beyond this many are worth less (`FURTHER_CARD_VALUE`): one attack will not use them all."""
FURTHER_CARD_VALUE: Final = 0.2
WARRIOR_EXTRA_VALUE: Final = 0.4
"""Extra value of a warrior, which stands for any colour."""
REACH_WEIGHT: Final = 0.04
"""Share of the value of the cards in the pawn's direction."""
ATTACK_WEIGHT: Final = 0.5
"""Share of the value of the best attack: its cards may be gone before the seat's next turn."""
NO_PAYMENT: Final = -1


def evaluate(state: FireBullsState, seat: int) -> float:
    """Heuristic value for a seat: points so far, plus the value of its hand, its pawn's place and its best attack."""
    player = state.seats[seat]
    points = float(sum([line.points for line in breakdown(player)]))
    if state.stage == stages.OVER:
        return points
    return (
        points
        + _hand_value(player.hand)
        + _reach_value(state, player)
        + ATTACK_WEIGHT * _best_attack_value(state, player)
    )


def _hand_value(hand: int) -> float:
    cards = packed.size(hand)
    further = max(0, cards - FULL_VALUE_CARDS)
    return (
        CARD_VALUE * (cards - further)
        + FURTHER_CARD_VALUE * further
        + WARRIOR_EXTRA_VALUE * packed.count_of(hand, WARRIOR)
    )


def _reach_value(state: FireBullsState, player: FireBullsSeat) -> float:
    return REACH_WEIGHT * sum(
        [VALUES[state.squares[square]] for square in LINES[player.place] if state.squares[square] >= 0]
    )


def _best_attack_value(state: FireBullsState, player: FireBullsSeat) -> float:
    """Net value of the best attack that the seat could pay for now, with cards spent and bonus cards."""
    best = 0.0
    for direction in state.profile_rules.attackable[player.place]:
        best = max(best, _attack_value(state, player, direction))
    return best


def _attack_value(state: FireBullsState, player: FireBullsSeat, direction: int) -> float:
    limit = MAX_DIRECT_CAPTURES if direction == player.place else state.profile_rules.max_deviated_captures
    hand = player.hand
    best = 0.0
    gain = 0.0
    captures = 0
    for square in LINES[direction]:
        card = state.squares[square]
        if card == EMPTY:
            continue
        payment = _cheapest_payment(state.payment_tables, card, hand) if captures < limit else NO_PAYMENT
        if payment == NO_PAYMENT:
            break
        hand -= payment
        captures += 1
        gain += VALUES[card] + has_colour(card, player.colour)
        gain -= CARD_VALUE * packed.size(payment) + WARRIOR_EXTRA_VALUE * packed.count_of(payment, WARRIOR)
        best = max(best, gain + CARD_VALUE * state.profile_rules.bonus_cards(captures))
    return best


def _cheapest_payment(tables: PaymentTables, card: int, hand: int) -> int:
    """The payment with the fewest warriors that the hand holds, or `NO_PAYMENT`."""
    if packed.size(hand) < tables.payment_sizes[card]:
        return NO_PAYMENT
    payments = tables.payments[card]
    for number in range(tables.affordable_counts[card][packed.count_of(hand, WARRIOR)]):
        if packed.is_superset(hand, payments[number]):
            return payments[number]
    return NO_PAYMENT
