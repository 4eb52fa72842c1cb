"""Fire Bulls: penalty, points, colour bonus, ranks."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine_core.games.fire_bulls.components import EMPTY, POINT_CARD_NAMES
from tests.engine_core.games.fire_bulls.positions import Position, new_position

CARDS_WITHOUT_COLOUR = "wu-white xi-white colonel fortification"


def end_by_third_exhaustion(victories: Sequence[str], colours: str = "") -> Position:
    """The match has just ended by the third exhaustion."""
    hands = [""] * len(victories)
    position = new_position(hands, victories=victories, colours=colours, deck="red", exhaustions=2)
    position.play("draw", "qi 0 red", "step 1")
    assert position.reason() == "exhaustion"
    return position


def penalty_card(position: Position, seat: int) -> str:
    penalty = position.view(seat).seats[seat].penalty
    return "" if penalty == EMPTY else POINT_CARD_NAMES[penalty]


def test_fb76_the_penalty_comes_first_so_a_lost_card_brings_no_colour_bonus() -> None:
    position = end_by_third_exhaustion(["bo soldier-blue", ""])
    assert position.points()[0] == 2
    assert position.breakdown(0) == {"cards": 7, "penalty": -6, "colour": 1}


@pytest.mark.parametrize(
    ("victory", "colour", "expected"),
    [
        ("xi-blue xi-white", "blue", "xi-white"),
        ("xi-blue xi-green", "blue", "xi-green"),
        ("xi-blue xi-green", "green", "xi-blue"),
        ("wu-blue wu-yellow wu-red", "blue", "wu-yellow"),
        ("wu-blue wu-yellow wu-red", "green", "wu-blue"),
        ("xi-blue wu-yellow", "blue", "xi-blue"),
        ("bo bo wu-red", "blue", "bo"),
        ("soldier-green soldier-green", "green", "soldier-green"),
        ("general colonel", "red", "general"),
    ],
)
def test_fb77_of_several_highest_cards_one_without_the_own_colour_is_lost(
    victory: str, colour: str, expected: str
) -> None:
    other = "yellow" if colour != "yellow" else "brown"
    position = new_position(
        ["", ""],
        victories=[victory],
        colours=f"{colour} {other}",
        deck="red",
        exhaustions=2,
        general="won" if "general" in victory else "hidden",
    )
    assert penalty_card(position.play("draw", "qi 0 red", "step 1"), 0) == expected


def test_fb78_a_player_without_cards_has_no_penalty() -> None:
    position = end_by_third_exhaustion(["", "wu-red"])
    assert penalty_card(position, 0) == ""
    assert (position.points(), position.breakdown(0).get("penalty", 0)) == ([0, 0], 0)


def test_fb78_a_player_with_fortifications_only_loses_one() -> None:
    position = end_by_third_exhaustion(["fortification fortification", ""])
    assert penalty_card(position, 0) == "fortification"


@pytest.mark.parametrize(
    ("victory", "points"),
    [
        ("soldier-blue", 2),
        ("wu-blue", 3),
        ("xi-blue", 4),
        ("bo", 7),
        ("bo bo", 14),
        (CARDS_WITHOUT_COLOUR, 13),
        ("soldier-red", 1),
    ],
)
def test_fb79_each_card_of_the_own_colour_brings_one_point(victory: str, points: int) -> None:
    assert new_position(["", ""], victories=[victory], colours="blue red").points() == [points, 0]


def test_fb79_a_bo_brings_its_point_to_every_colour() -> None:
    position = new_position([""] * 5, victories=["bo"] * 5)
    assert position.points() == [7] * 5


def test_fb80_colours_that_nobody_plays_bring_no_bonus() -> None:
    assert new_position(["", ""], victories=["soldier-red wu-green", "xi-brown"]).points() == [3, 3]


@pytest.mark.parametrize(
    ("one", "other", "winners", "ranks"),
    [
        ("colonel", "xi-red xi-brown wu-red", [1], [3, 1, 2]),
        ("xi-red xi-brown wu-red", "colonel", [2], [3, 2, 1]),
        ("xi-red soldier-brown", "xi-brown soldier-red", [1, 2], [3, 1, 1]),
        ("xi-red wu-red", "xi-brown soldier-brown soldier-red", [1, 2], [3, 1, 1]),
        ("xi-yellow", "xi-white soldier-brown", [1, 2], [3, 1, 1]),
        ("colonel soldier-brown", "colonel", [1], [3, 1, 2]),
    ],
)
def test_fb81_a_tie_goes_to_the_highest_single_card_without_bonus_and_then_is_shared(
    one: str, other: str, winners: list[int], ranks: list[int]
) -> None:
    position = new_position(
        ["red", "", ""],
        "- - - / - - - / soldier-red - -",
        victories=["", one, other],
        colours="blue yellow green",
        places=(2, 3, 4),
        piles=(0, 0, 5),
        general="won",
    )
    position.play("attack 2: red").play_draws()
    assert position.score().reason == "general"
    assert (position.score().winners, position.ranks()) == (winners, ranks)


def test_fb81_the_highest_card_is_that_after_the_penalty() -> None:
    one = "colonel wu-red wu-brown soldier-red soldier-brown"
    position = end_by_third_exhaustion([one, "bo xi-red xi-brown"], "blue yellow")
    assert position.points() == [6, 6]
    assert (position.score().winners, position.ranks()) == ([1], [2, 1])


def test_fb81_no_card_at_all_ranks_below_a_card_of_value_0() -> None:
    position = end_by_third_exhaustion(["", "fortification fortification"])
    assert position.points() == [0, 0]
    assert (position.score().winners, position.ranks()) == ([1], [2, 1])


def test_fb82_equal_ranks_share_the_number_and_the_next_is_skipped() -> None:
    position = new_position([""] * 4, victories=["wu-green", "xi-white xi-white", "", "wu-green"])
    assert position.ranks() == [2, 1, 4, 2]


def test_fb82_before_the_end_the_score_has_no_penalty_no_winners_and_no_reason() -> None:
    position = new_position(["", ""], victories=["bo soldier-blue", "wu-red"], exhaustions=2)
    score = position.score()
    assert position.points() == [9, 2]
    assert (score.winners, score.reason) == ([], "")
    assert position.breakdown(0).get("penalty", 0) == 0


def test_fb82_cards_won_this_turn_count_at_once() -> None:
    squares = "- - - / soldier-red - - / soldier-blue - -"
    position = new_position(["blue", ""], squares, places=(2, 5)).play("attack 2: blue")
    assert position.points() == [2, 0]


def test_fb82_the_points_are_the_sum_of_the_breakdown_of_cards_penalty_and_colour() -> None:
    position = end_by_third_exhaustion(["bo soldier-blue wu-red", "colonel"])
    for seat, standing in enumerate(position.score().standings):
        assert sum(position.breakdown(seat).values()) == standing.points
        assert set(position.breakdown(seat)) <= {"cards", "penalty", "colour"}
