"""Fireship: the default move of a seat whose time is up (FS-114)."""

from __future__ import annotations

import pytest

from tests.engine_core.games.fireship.positions import new_position


def test_fs114_before_the_throw_throw_and_after_it_end_the_turn() -> None:
    assert new_position({"green": "boat a1"}, hands=["fog"]).default() == "throw"
    assert new_position({"green": "boat a1"}, dice=(6, 6)).default() == "end_turn"


def test_fs114_in_windows_and_for_the_skull_pass() -> None:
    position = new_position({"green": "boat a1", "red": "boat e3"}, hands=["boum", "no"]).play(
        "play_card boum hand: red e3"
    )
    assert position.default() == "pass"
    position = new_position({"green": "plane f6 arrived"}, dice=(6, 6), anti_skull=True).play(
        "use_square f6", "die skull"
    )
    assert position.default() == "pass"


@pytest.mark.parametrize(
    ("pawns", "lost"),
    [
        ("boat f2 arrived, boat c1, boat a1", "lose boat a1"),
        ("boat f2 arrived, boat c2, boat h2", "lose boat c2"),
        ("boat f2 arrived, boat d5", "lose boat f2"),
    ],
)
def test_fs114_a_loss_is_from_the_base_else_northmost_then_westmost(pawns: str, lost: str) -> None:
    position = new_position({"green": pawns}, dice=(6, 6)).play("use_square f2", "card lose_boat")
    assert position.default() == lost


def test_fs114_the_southern_bases_come_first_too() -> None:
    position = new_position({"red": "boat f2 arrived, boat o15"}, dice=(6, 6), active=1)
    assert position.play("use_square f2", "card lose_boat").default() == "lose boat o15"


@pytest.mark.parametrize(
    ("pawns", "pawn", "target"),
    [
        ({"green": "boat h11"}, "boat h11", "sail h10"),
        ({"green": "boat h11", "red": "2 boat h10"}, "boat h11", "sail g11"),
        ({"green": "plane e3", "red": "2 boat e2, 2 boat f3", "white": "boat e4"}, "plane e3", "sail e4"),
    ],
)
def test_fs114_a_chosen_pawn_goes_to_the_nearest_square_then_northmost_westmost(
    pawns: dict[str, str], pawn: str, target: str
) -> None:
    assert new_position(pawns, dice=(6, 6)).play(f"choose_pawn {pawn}").default() == target
