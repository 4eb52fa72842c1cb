"""Fire Bulls: the component data against the counts of the rulebook."""

from __future__ import annotations

from random import Random

import pytest

from engine_core.explore import random_step
from engine_core.games.fire_bulls.components import (
    ALL_COLOURS,
    COLOURS,
    FULL_DECK,
    GENERAL,
    LINES,
    NO_POINT_CARDS,
    POINT_CARDS,
    POINT_COUNTS,
    RULES_BY_PROFILE,
    WHITE,
    PointCard,
    with_count_changed,
)
from engine_core.games.fire_bulls.state import GENERAL_ASIDE, FireBullsOptions
from tests.engine_core.games.fire_bulls.positions import GAME, PROFILES, new_position


def of_kind(kind: str) -> list[PointCard]:
    return [card for card in POINT_CARDS if card.role == kind]


@pytest.mark.parametrize(
    ("kind", "total", "value", "each_colour", "white"),
    [
        ("soldier", 15, 1, 3, 0),
        ("wu", 12, 2, 2, 2),
        ("xi", 9, 3, 1, 4),
        ("bo", 6, 6, 0, 0),
        ("colonel", 3, 8, 0, 3),
        ("general", 1, 12, 0, 1),
        ("fortification", 8, 0, 0, 8),
    ],
)
def test_fb83_each_kind_of_point_card_has_the_count_the_value_and_the_colours_of_the_table(
    kind: str, total: int, value: int, each_colour: int, white: int
) -> None:
    cards = of_kind(kind)
    assert sum([card.count for card in cards]) == total
    assert {card.value for card in cards} == {value}
    for colour in range(len(COLOURS)):
        assert sum([card.count for card in cards if card.colour == colour]) == each_colour
    assert sum([card.count for card in cards if card.colour == WHITE]) == white


def test_the_54_point_cards_are_worth_138_points() -> None:
    assert sum([card.count for card in POINT_CARDS]) == 54
    assert sum([card.count * card.value for card in POINT_CARDS]) == 138


def test_the_bo_alone_shows_all_five_colours() -> None:
    assert [card.name for card in POINT_CARDS if card.colour == ALL_COLOURS] == ["bo"]


def test_the_qi_deck_has_ten_bulls_of_each_colour_and_four_warriors() -> None:
    position = new_position(["", ""])
    words = position.deck().split()
    assert [words.count(name) for name in COLOURS] == [10] * 5
    assert words.count("warrior") == 4
    assert len(words) == 54


def test_the_lines_are_those_of_the_figures() -> None:
    names = "GHIDEFABC"
    assert ["".join([names[square] for square in line]) for line in LINES[1:]] == ["GEC", "GDA", "HEB", "IFC", "IEA"]


def test_two_to_five_may_play() -> None:
    assert (GAME.min_seats, GAME.max_seats) == (2, 5)


def test_the_profiles_are_merged_fr_and_it() -> None:
    assert list(RULES_BY_PROFILE) == PROFILES


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seat_count", [2, 5])
def test_all_108_cards_stay_where_they_are_counted_at_every_move(seat_count: int, profile: str) -> None:
    random = Random(f"{seat_count} {profile}")
    state = GAME.start(seat_count, FireBullsOptions(profile))
    while random_step(GAME, state, random):
        assert state.deck + state.discards + state.reserve + sum([seat.hand for seat in state.seats]) == FULL_DECK
        piles = [seat.victory for seat in state.seats] + [state.undrawn, state.removed]
        counts = [sum(kind) + state.squares.count(card) for card, kind in enumerate(zip(*piles, strict=True))]
        counts[GENERAL] += state.general_place == GENERAL_ASIDE
        assert counts == POINT_COUNTS
        assert sum(state.piles) == sum(state.undrawn)


def test_counts_of_point_cards_change_one_by_one() -> None:
    some = with_count_changed(with_count_changed(NO_POINT_CARDS, GENERAL, 1), 0, 3)
    assert (some[0], some[GENERAL], sum(some)) == (3, 1, 4)
    assert with_count_changed(with_count_changed(some, GENERAL, -1), 0, -3) == NO_POINT_CARDS
