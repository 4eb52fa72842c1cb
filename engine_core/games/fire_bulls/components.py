"""The components of Fire Bulls, read from `components.json`: cards, columns, limits, rulebooks."""

from __future__ import annotations

import json
from pkgutil import get_data
from typing import Final

from engine_core import packed

BLUE: Final = 0
YELLOW: Final = 1
BROWN: Final = 2
RED: Final = 3
GREEN: Final = 4
WARRIOR: Final = 5
WHITE: Final = 5
ALL_COLOURS: Final = 6

COLOURS: Final = ["blue", "yellow", "brown", "red", "green"]
ATTACK_CARDS: Final = [*COLOURS, "warrior"]

EMPTY: Final = -1
"""Stands for a square without a card, and for no point card."""


ANY_COLOUR: Final = -1
"""The colour of a group of white symbols: whichever the player likes, but another for each such group of a cost."""

Cost = list[tuple[int, int]]
"""Groups of symbols, as pairs of colour (or `ANY_COLOUR`) and number: each is paid with bulls of its one colour."""


class PointCard:
    """A kind of point card. Its colour is one of the five, `WHITE` or `ALL_COLOURS`."""

    def __init__(self, name: str, colour: int, count: int, value: int, role: str) -> None:
        self.name: Final = name
        self.colour: Final = colour
        self.count: Final = count
        self.value: Final = value
        self.role: Final = role


class ProfileRules:
    """The differences between the rulebooks: French, Italian, and both merged."""

    def __init__(
        self,
        name: str,
        costs: list[list[Cost]],
        attacks_anywhere: bool,
        max_deviated_captures: int,
        bonus_for_three_only: bool,
        refills_to_three: bool,
    ) -> None:
        self.name: Final = name
        self.attacks_anywhere: Final = attacks_anywhere
        self.costs: Final = costs
        """The costs of each kind of point card; one of them is to be paid."""
        self.attackable: Final = [ALL_DIRECTIONS] * (DIRECTIONS + 1) if attacks_anywhere else WITHIN_A_STEP
        """By place of the pawn, the directions along which it may attack (FB-34)."""
        self.max_deviated_captures: Final = max_deviated_captures
        self.bonus_for_three_only: Final = bonus_for_three_only
        self.refills_to_three: Final = refills_to_three

    def bonus_cards(self, captures: int) -> int:
        """How many bonus cards an attack with this many captures, at least 1, gives (FB-51)."""
        return 0 if self.bonus_for_three_only and captures < MAX_DIRECT_CAPTURES else captures - 1


DIRECTIONS: Final = 5
ALL_DIRECTIONS: Final = list(range(1, DIRECTIONS + 1))
WITHIN_A_STEP: Final[list[list[int]]] = [
    [],
    *[list(range(max(1, place - 1), min(DIRECTIONS, place + 1) + 1)) for place in ALL_DIRECTIONS],
]
"""By direction, itself and its neighbours; 5 and 1 are none (FB-18). Direction 0, before the setup, has none."""
MAX_DIRECT_CAPTURES: Final = 3
"""Most cards that an attack straight on may capture."""

_DATA: Final = json.loads(get_data(__package__, "components.json") or b"")


def _name(kind: str, colour: str) -> str:
    return f"{kind}-{colour}" if kind in ("soldier", "wu", "xi") else kind


def _colour(name: str) -> int:
    return {"white": WHITE, "all": ALL_COLOURS}.get(name, COLOURS.index(name) if name in COLOURS else WHITE)


def _point_cards() -> list[PointCard]:
    return [
        PointCard(
            _name(card["kind"], card["colour"]),
            _colour(card["colour"]),
            card["count"],
            card["value"],
            card["kind"],
        )
        for card in _DATA["pointCards"]
    ]


def _costs(kind: int, profile: str) -> list[Cost]:
    """The costs of a kind of point card: as printed on it, or two groups or a single one, as the rulebook has them."""
    card = _DATA["pointCards"][kind]
    if isinstance(card["cost"], list):
        return [[(COLOURS.index(name) if name in COLOURS else ANY_COLOUR, number) for name, number in card["cost"]]]
    split = _DATA["profiles"][profile][card["kind"]]
    return [[(ANY_COLOUR, number) for number in groups] for groups in (split["groups"], [split["single"]])]


def _profile_rules(name: str) -> ProfileRules:
    profile = _DATA["profiles"][name]
    return ProfileRules(
        name,
        [_costs(kind, name) for kind in range(POINT_KINDS)],
        profile["attackFrom"] == "any",
        profile["deviatedMax"],
        profile["bonus"] == "two_for_three",
        profile["reserveRefill"] == "up_to_three",
    )


POINT_CARDS: Final[list[PointCard]] = _point_cards()
POINT_CARD_NAMES: Final[list[str]] = [card.name for card in POINT_CARDS]
POINT_KINDS: Final = 21
BO: Final = 17
COLONEL: Final = 18
GENERAL: Final = 19
FORTIFICATION: Final = 20
VALUES: Final[list[int]] = [card.value for card in POINT_CARDS]
POINT_COUNTS: Final[list[int]] = [card.count for card in POINT_CARDS]

RULES_BY_PROFILE: Final[dict[str, ProfileRules]] = {name: _profile_rules(name) for name in _DATA["profiles"]}

START_HAND: Final[int] = _DATA["startHand"]
RESERVE: Final[int] = _DATA["reserve"]
HAND_LIMIT: Final[int] = _DATA["handLimit"]
PILES: Final = 3
PILE_SIZE: Final[int] = _DATA["pileSize"]
NO_POINT_CARDS: Final = bytes(POINT_KINDS)
"""No point cards of any kind."""
EXHAUSTIONS_TO_END: Final[int] = _DATA["exhaustionsToEnd"]
EMPTY_PILES_TO_END: Final[int] = _DATA["emptyPilesToEnd"]
QUIET_TURNS_PER_SEAT: Final[int] = _DATA["quietTurnsPerSeat"]
SQUARES: Final = 9


SQUARE_NAMES: Final = "".join(reversed(_DATA["grid"]))
"""Letters of the squares, which count from the near row, left to right: G H I, D E F, A B C."""

LINES: Final[list[list[int]]] = [
    [],
    *[[SQUARE_NAMES.index(letter) for letter in _DATA["lines"][str(direction)]] for direction in ALL_DIRECTIONS],
]
"""Squares of each direction, nearest first; direction 0 does not exist."""


# Counts of point cards by kind, and of cards by pile, are `bytes`: they never change, so copies of a state share them.
_BYTES: Final = [bytes([count]) for count in range(sum(POINT_COUNTS) + 1)]


def with_count_changed(counts: bytes, place: int, change: int) -> bytes:
    """A copy of the counts with `change` added to one of them. No count may fall below 0."""
    return counts[:place] + _BYTES[counts[place] + change] + counts[place + 1 :]


FULL_DECK: Final[int] = packed.pack([_DATA["attackCards"][name] for name in ATTACK_CARDS])
"""All 54 attack cards."""

WARRIORS: Final[int] = _DATA["attackCards"]["warrior"]
ONE_OF_EACH_KIND: Final[int] = packed.pack([1] * len(ATTACK_CARDS))
"""One card of every kind."""
