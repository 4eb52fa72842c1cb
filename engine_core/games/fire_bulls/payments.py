"""Enumeration of the payments, in attack cards, for each kind of point card and rulebook."""

from __future__ import annotations

from itertools import permutations, product

from engine_core import packed
from engine_core.games.fire_bulls import components

Needs = list[int]
"""A payment without warriors: number of bulls of each of the five colours."""


def _needs(cost: components.Cost) -> list[Needs]:
    """The needs of a cost: its groups of any colour are of different colours (FB-40 to FB-42)."""
    free = [colour for colour, _ in cost].count(components.ANY_COLOUR)
    needs = []
    for colours in permutations(range(len(components.COLOURS)), free):
        need = [0] * len(components.COLOURS)
        chosen = iter(colours)
        for colour, number in cost:
            need[next(chosen) if colour == components.ANY_COLOUR else colour] += number
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


def _payments(costs: list[components.Cost]) -> list[int]:
    distinct = {payment for cost in costs for need in _needs(cost) for payment in _with_warriors(need)}
    return sorted(distinct, key=_order)


def payments_by_card(profile: str) -> list[list[int]]:
    """For each kind of point card its packed payments by the rules of a profile, in the order of FB-47."""
    return [_payments(costs) for costs in components.RULES_BY_PROFILE[profile].costs]


def cards_of_payment(payment: int) -> list[int]:
    """The cards of a payment one by one, in the order of `ATTACK_CARDS`."""
    return [card for card in range(len(components.ATTACK_CARDS)) for _ in range(packed.count_of(payment, card))]
