"""Counts of cards packed into one number."""

from __future__ import annotations

from engine_core.packed import ONE_OF_KIND, count_of, intersection, is_superset, pack, size, subtract, unpack

COUNTS = [1, 0, 2, 0, 0, 3, 0, 0, 4, 2]
CARDS = pack(COUNTS)
OTHER_CARDS = pack([2, 0, 1, 31, 0, 3, 4, 5, 0, 31])


def test_unpacked_counts_equal_the_packed_ones() -> None:
    assert unpack(CARDS, 10) == COUNTS
    assert [count_of(CARDS, kind) for kind in range(10)] == COUNTS
    assert size(CARDS) == 12
    assert unpack(CARDS + ONE_OF_KIND[1], 2) == [1, 1]


def test_a_deck_covers_exactly_the_cards_that_it_contains() -> None:
    assert is_superset(CARDS, CARDS)
    assert is_superset(CARDS, pack([1, 0, 1]))
    assert not is_superset(CARDS, pack([1, 1]))
    assert not is_superset(pack([9, 9, 9, 9, 9, 9, 9, 9, 9, 0]), pack([0] * 9 + [1]))


def test_the_minimum_of_packed_counts_is_taken_for_each_kind() -> None:
    assert (
        unpack(intersection(CARDS, OTHER_CARDS), 10)
        == unpack(intersection(OTHER_CARDS, CARDS), 10)
        == [1, 0, 1, 0, 0, 3, 0, 0, 0, 2]
    )


def test_subtraction_stops_at_zero_for_each_kind() -> None:
    assert unpack(subtract(CARDS, OTHER_CARDS), 10) == [0, 0, 1, 0, 0, 0, 0, 0, 4, 0]
    assert unpack(subtract(OTHER_CARDS, CARDS), 10) == [1, 0, 0, 31, 0, 0, 4, 5, 0, 29]
