"""Fire Bulls: payments from the rulebook, and those of random hands worked out card by card."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from engine_core.games.fire_bulls.components import COLOURS
from tests.engine_core.games.fire_bulls.positions import PROFILES, new_position

WARRIOR = "warrior"
DECK = [*COLOURS * 10, *[WARRIOR] * 4]
SEVEN_BLUES = "blue blue blue blue blue blue blue"
FIVE_BULLS = "blue yellow brown red green"
ONE_COLOURED = {"soldier": 1, "wu": 2, "xi": 3}
POINT_CARD_KINDS = [
    *[f"{kind}-{colour}" for kind in ONE_COLOURED for colour in COLOURS],
    "wu-white",
    "xi-white",
    "bo",
    "colonel",
    "general",
    "fortification",
]


def listed_payments(card: str, hand: str, profile: str = "merged") -> list[str]:
    """What the engine offers for a card, in its order."""
    if card == "general":
        return [
            move[9:] for move in new_position([hand, ""], profile=profile, general="aside").moves_starting("general")
        ]
    squares = f"- - - / - - - / {card} - -"
    position = new_position([hand, ""], squares, profile=profile, places=(2, 5))
    return [move[10:] for move in position.moves_starting("attack 2")]


def can_fill(bulls: Counter[str], sizes: dict[str, int]) -> bool:
    """Whether bulls go into these groups, each of one colour; warriors fill what is left."""
    return all(number <= sizes.get(colour, 0) for colour, number in bulls.items())


def price_readings(card: str, profile: str) -> list[dict[str, int]]:
    """Every way to read the symbols of a card: so many cards of each colour."""
    kind, _, colour = card.partition("-")
    if kind in ONE_COLOURED and colour != "white":
        return [{colour: ONE_COLOURED[kind]}]
    if kind == "bo":
        return [dict.fromkeys(COLOURS, 1)]
    if kind in ("colonel", "general"):
        big, small, single = (4, 3, 7) if kind == "general" else (3, 3 if profile == "fr" else 2, 5)
        pairs = [{one: big, other: small} for one in COLOURS for other in COLOURS if one != other]
        return pairs + [{one: single} for one in COLOURS]
    return [{one: ONE_COLOURED.get(kind, 1)} for one in COLOURS]


def can_pay(card: str, profile: str, paid: tuple[str, ...]) -> bool:
    bulls = Counter([name for name in paid if name != WARRIOR])
    return any(sum(price.values()) == len(paid) and can_fill(bulls, price) for price in price_readings(card, profile))


def in_canonical_order(paid: tuple[str, ...]) -> str:
    return " ".join(sorted(paid, key=[*COLOURS, WARRIOR].index))


def payments_by_brute_force(card: str, hand: list[str], profile: str) -> set[str]:
    """Every part of a hand that pays for the card exactly."""
    return {
        in_canonical_order(part)
        for number in range(1, len(hand) + 1)
        for part in set(combinations(sorted(hand), number))
        if can_pay(card, profile, part)
    }


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("card", POINT_CARD_KINDS)
def test_fb47_each_payment_of_a_random_hand_is_listed_once_and_nothing_else(card: str, profile: str) -> None:
    random = Random(f"{card} {profile}")
    for number in (2, 3, 4, 5, 6, 7, 7, 8, 8, 8, 8):
        colours = random.sample(COLOURS, random.randint(1, 5))
        bulls = random.sample([name for name in DECK if name in colours], number - random.randint(0, 2))
        hand = bulls + [WARRIOR] * random.randint(number - len(bulls), min(4, 8 - len(bulls)))
        listed = listed_payments(card, " ".join(hand), profile)
        assert len(listed) == len(set(listed))
        assert set(listed) == payments_by_brute_force(card, hand, profile), hand


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("card", POINT_CARD_KINDS)
def test_fb47_fewest_warriors_come_first_and_then_the_order_of_colours(card: str, profile: str) -> None:
    def sort_key(payment: str) -> tuple[int, list[int]]:
        words = payment.split()
        return words.count(WARRIOR), [-words.count(colour) for colour in COLOURS]

    hand = "blue blue blue yellow yellow yellow brown red green warrior warrior warrior warrior"
    listed = listed_payments(card, hand, profile)
    assert listed == sorted(listed, key=sort_key)


def test_fb38_nothing_is_thrown_away_with_a_payment() -> None:
    assert listed_payments("soldier-blue", "blue blue blue red warrior") == ["blue", "warrior"]


def test_fb40_one_white_symbol_takes_any_card() -> None:
    assert listed_payments("fortification", f"{FIVE_BULLS} warrior") == [*FIVE_BULLS.split(), "warrior"]


@pytest.mark.parametrize("card", ["wu-white", "xi-white"])
def test_fb40_several_white_symbols_are_of_one_colour(card: str) -> None:
    assert listed_payments(card, FIVE_BULLS) == []


@pytest.mark.parametrize(
    ("profile", "hand", "legal"),
    [
        ("merged", "blue blue blue red red", ["blue blue blue red red"]),
        ("merged", "blue blue red red green", []),
        ("merged", "blue blue blue blue red", []),
        ("merged", "blue blue blue blue blue", ["blue blue blue blue blue"]),
        ("it", "blue blue blue red red", ["blue blue blue red red"]),
        ("fr", "blue blue blue red red", []),
        ("fr", "blue blue blue red red red", ["blue blue blue red red red"]),
        ("fr", "blue blue blue blue blue red", ["blue blue blue blue blue"]),
        ("fr", "blue blue blue blue red red", []),
        ("merged", "blue blue blue red red red", ["blue blue blue red red", "blue blue red red red"]),
    ],
)
def test_fb41_fb42_a_colonel_is_two_groups_of_one_colour_each_or_one_single_group(
    profile: str, hand: str, legal: list[str]
) -> None:
    assert listed_payments("colonel", hand, profile) == legal


@pytest.mark.parametrize(
    ("hand", "legal"),
    [
        ("blue blue blue blue red red red", ["blue blue blue blue red red red"]),
        ("blue blue blue blue blue red red", []),
        (SEVEN_BLUES, [SEVEN_BLUES]),
    ],
)
@pytest.mark.parametrize("profile", PROFILES)
def test_fb41_fb42_the_general_is_four_and_three_or_seven(profile: str, hand: str, legal: list[str]) -> None:
    assert listed_payments("general", hand, profile) == legal


@pytest.mark.parametrize(
    ("hand", "legal"),
    [
        ("blue blue blue warrior warrior warrior", "blue blue blue warrior warrior warrior"),
        ("blue blue blue blue warrior", "blue blue blue blue warrior"),
    ],
)
def test_fb43_a_group_of_warriors_is_another_colour_and_four_bulls_serve_the_payment_of_five(
    hand: str, legal: str
) -> None:
    assert legal in listed_payments("colonel", hand, "fr")


def test_fb43_four_bulls_of_a_colour_do_not_serve_a_payment_of_six() -> None:
    hand = "blue blue blue blue warrior warrior"
    assert not [paid for paid in listed_payments("colonel", hand, "fr") if len(paid.split()) == 6]


def test_fb44_a_bo_takes_five_different_colours() -> None:
    assert listed_payments("bo", f"{FIVE_BULLS} blue") == [FIVE_BULLS]
    assert listed_payments("bo", "blue blue yellow brown red") == []


@pytest.mark.parametrize("card", ["wu-red", "xi-green", "xi-white", "fortification", "soldier-blue"])
def test_fb45_warriors_may_pay_everything(card: str) -> None:
    number = {"xi": 3, "wu": 2}.get(card.partition("-")[0], 1)
    assert listed_payments(card, "warrior warrior warrior warrior") == [" ".join(["warrior"] * number)]


def test_fb46_a_warrior_replaces_a_symbol_of_which_the_hand_holds_the_colour() -> None:
    legal = listed_payments("bo", f"{FIVE_BULLS} warrior")
    assert legal == [
        FIVE_BULLS,
        "blue yellow brown red warrior",
        "blue yellow brown green warrior",
        "blue yellow red green warrior",
        "blue brown red green warrior",
        "yellow brown red green warrior",
    ]


def test_fb47_the_first_payment_uses_the_fewest_warriors() -> None:
    assert listed_payments("wu-red", "red red warrior warrior") == ["red red", "red warrior", "warrior warrior"]
