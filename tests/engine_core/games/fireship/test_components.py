"""Fireship: the component data against section 3 of the rulings."""

from __future__ import annotations

import pytest

from engine_core.games.fireship.components import (
    BADGE_NAMES,
    BADGE_STOCK,
    BADGES,
    CARD_COUNTS,
    CARDS,
    EFFECTS,
    FACES,
    FULL_DECK,
    IS_HAND_CARD,
    ISLAND_POWERS,
    KINDS,
    PAWNS_PER_KIND,
    POWERS,
    SECTORS,
    START_PAWNS,
    WINS_EQUAL,
    WINS_GREATER,
)
from engine_core.packed import size


def test_fs01_a_die_has_a_skull_worth_0_and_2_to_6() -> None:
    assert FACES == [0, 2, 3, 4, 5, 6]


def test_fs44_equal_powers_win_on_two_faces_and_a_greater_one_on_three() -> None:
    assert (WINS_EQUAL, WINS_GREATER) == ([5, 6], [4, 5, 6])


@pytest.mark.parametrize(
    ("card", "copies", "is_kept"),
    [
        ("gain_boat", 10, False),
        ("gain_plane", 6, False),
        ("lose_boat", 6, False),
        ("lose_plane", 4, False),
        ("no", 6, True),
        ("boum", 6, True),
        ("plus_one", 7, True),
        ("updraft", 4, True),
        ("fog", 4, True),
        ("bermuda", 2, False),
    ],
)
def test_fs76_fs78_the_deck_is_that_of_the_table(card: str, copies: int, is_kept: bool) -> None:
    assert CARD_COUNTS[CARDS.index(card)] == copies
    assert IS_HAND_CARD[CARDS.index(card)] == is_kept


def test_fs76_there_are_55_mystery_cards() -> None:
    assert size(FULL_DECK) == sum(CARD_COUNTS) == 55


def test_the_wheel_has_twelve_sectors_in_the_order_of_the_table() -> None:
    assert [EFFECTS[effect] for effect in SECTORS] == [
        "gain_boat",
        "draw_card",
        "boum",
        "lose_boat",
        "gain_plane",
        "fog",
        "gain_boat",
        "kraken",
        "gulf_stream",
        "spin_again",
        "updraft",
        "lose_plane",
    ]


def test_fs74_there_are_six_badges_of_each_of_four_kinds() -> None:
    assert dict(zip(BADGE_NAMES, BADGE_STOCK, strict=True)) == dict.fromkeys(
        ["boum", "gulf_stream", "fog", "updraft"], 6
    )
    assert [EFFECTS[badge] for badge in BADGES] == BADGE_NAMES


def test_pawns_have_their_powers_numbers_and_start() -> None:
    assert list(zip(KINDS, POWERS, PAWNS_PER_KIND, START_PAWNS, strict=True)) == [
        ("boat", 1, 15, 3),
        ("plane", 2, 3, 1),
        ("battleship", 4, 2, 0),
    ]


def test_fs99_an_island_has_power_2_and_3_more_a_ring() -> None:
    assert ISLAND_POWERS == [2, 5, 8, 11]
