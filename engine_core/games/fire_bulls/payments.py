"""Enumeration of the payments, in attack cards, for each kind of point card and rulebook."""

from __future__ import annotations

from itertools import permutations, product

from engine_core import packed
from engine_core.games.fire_bulls import components

Needs = list[int]
"""A payment without warriors: number of bulls of each of the five colours."""


def _fixed_needs(card: components.PointCard) -> list[Needs]:
    """The needs of a printed cost: a group of white symbols may be of any colour (FB-40)."""
    choices = [components.COLOURS if colour == "any" else [colour] for colour, _ in card.cost]
    needs = []
    for colours in product(*choices):
        need = [0] * len(components.COLOURS)
        for colour, (_, cards) in zip(colours, card.cost, strict=True):
            need[components.COLOURS.index(colour)] += cards
        needs.append(need)
    return needs


def _split_needs(cost: components.SplitCost) -> list[Needs]:
    """The needs of a split cost: two groups of different colours (FB-41), or a single one (FB-42)."""
    needs = []
    for colours in permutations(range(len(components.COLOURS)), len(cost.groups)):
        need = [0] * len(components.COLOURS)
        for colour, cards in zip(colours, cost.groups, strict=True):
            need[colour] = cards
        needs.append(need)
    for colour in range(len(components.COLOURS)):
        need = [0] * len(components.COLOURS)
        need[colour] = cost.single
        needs.append(need)
    return needs


def _with_warriors(need: Needs) -> list[int]:
    """The payments for a need: all ways to replace bulls by warriors (FB-45, FB-46)."""
    payments = []
    for bulls in product(*[range(number + 1) for number in need]):
        warriors = sum(need) - sum(bulls)
        if warriors <= components.WARRIORS:
            payments.append(packed.pack([*bulls, warriors]))
    return payments


def _order(payment: int) -> tuple[int, list[int]]:
    """Sort key of payments: fewest warriors first, then colour order (FB-47)."""
    counts = packed.unpack(payment, len(components.ATTACK_CARDS))
    return counts[components.WARRIOR], [-count for count in counts]


def _needs(rulebook: components.Rulebook, card: components.PointCard) -> list[Needs]:
    if card.cost:
        return _fixed_needs(card)
    return _split_needs(rulebook.general if card is components.POINT_CARDS[components.GENERAL] else rulebook.colonel)


def _payments(rulebook: components.Rulebook, card: components.PointCard) -> list[int]:
    distinct = {payment for need in _needs(rulebook, card) for payment in _with_warriors(need)}
    return sorted(distinct, key=_order)


def payments_by_card(printing: str) -> list[list[int]]:
    """For each kind of point card its packed payments by a rulebook, in the order of FB-47."""
    rulebook = components.RULEBOOKS[printing]
    return [_payments(rulebook, card) for card in components.POINT_CARDS]


def cards_of_payment(payment: int) -> list[int]:
    """The cards of a payment one by one, in the order of `ATTACK_CARDS`."""
    return [card for card in range(len(components.ATTACK_CARDS)) for _ in range(packed.number_of(payment, card))]
