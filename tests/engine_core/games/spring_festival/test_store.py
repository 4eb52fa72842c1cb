"""Spring Festival: turning the store: which seat gets which tile, and what becomes of the others."""

from __future__ import annotations

import pytest

from tests.engine_core.games.spring_festival.positions import position_after_start_tiles


def test_fw15_the_active_seat_may_choose_any_position_even_the_present_one() -> None:
    position = position_after_start_tiles()
    assert position.moves() == ["orient 0", "orient 1", "orient 2", "orient 3"]
    position.play("orient 3").round_off()
    assert position.moves() == ["orient 0", "orient 1", "orient 2", "orient 3"]
    assert position.view(0).offset == 3


@pytest.mark.parametrize(
    ("seat_count", "offset", "piles"),
    [
        (2, 0, [0, 2]),
        (2, 1, [1, 3]),
        (2, 2, [2, 0]),
        (2, 3, [3, 1]),
        (3, 0, [0, 1, 2]),
        (3, 1, [1, 2, 3]),
        (3, 2, [2, 3, 0]),
        (3, 3, [3, 0, 1]),
        (4, 0, [0, 1, 2, 3]),
        (4, 3, [3, 0, 1, 2]),
    ],
)
def test_fw16_each_seat_takes_from_the_pile_before_its_arm(seat_count: int, offset: int, piles: list[int]) -> None:
    position = position_after_start_tiles(seat_count)
    tops = position.tops()
    position.play(f"orient {offset}")
    assert position.taken() == [tops[pile] for pile in piles]
    assert position.discards() == " ".join([top for pile, top in enumerate(tops) if pile not in piles])


@pytest.mark.parametrize(("seat_count", "discarded"), [(2, 2), (3, 1), (4, 0)])
def test_fw17_every_pile_gives_one_tile_a_round(seat_count: int, discarded: int) -> None:
    position = position_after_start_tiles(seat_count)
    for number in range(12):
        assert position.view(0).pile_sizes == [12 - number] * 4
        position.play("orient 1")
        assert len(position.state.discards) == discarded * (number + 1)
        position.round_off()
    assert position.view(0).pile_sizes == [0] * 4


def test_fw18_what_is_not_taken_is_discarded_at_the_same_moment() -> None:
    position = position_after_start_tiles(3)
    top = position.tops()[3]
    position.play("orient 0")
    assert position.discards() == top
    assert position.view(1).discards == position.state.discards


def test_fw19_the_next_four_tops_are_turned_up_before_the_placements() -> None:
    position = position_after_start_tiles(2).play("orient 0")
    assert [position.tops(), position.to_move()] == [["-"] * 4, ()]
    for pile in range(4):
        assert all(move.startswith(f"reveal {pile} ") for move in position.moves())
        position.play(position.moves()[0])
    assert position.to_move() == (0, 1)
    assert "-" not in position.tops()


def test_fw19_no_top_is_turned_up_in_the_last_round() -> None:
    position = position_after_start_tiles(2)
    for _ in range(11):
        position.play("orient 0").round_off()
    position.play("orient 2")
    assert position.to_move() == (0, 1)
    assert position.tops() == ["-"] * 4


def test_fw20_the_tile_taken_can_neither_be_swapped_nor_refused() -> None:
    position = position_after_start_tiles(3).play("orient 0").play_draws()
    for seat in range(3):
        assert {move.split()[0] for move in position.moves(seat)} == {"place"}


def test_the_store_passes_on_clockwise() -> None:
    position = position_after_start_tiles(3)
    order = []
    for _ in range(4):
        order.append(position.seat())
        position.play("orient 0").round_off()
    assert order == [0, 1, 2, 0]
