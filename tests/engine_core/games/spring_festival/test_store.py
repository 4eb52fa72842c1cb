"""Spring Festival: turning the store: which seat gets which tile, and what becomes of the others."""

from __future__ import annotations

import pytest

from tests.engine_core.games.spring_festival.positions import laid


def test_fw15_the_active_seat_names_any_position_the_present_one_included() -> None:
    table = laid()
    assert table.moves() == ["orient 0", "orient 1", "orient 2", "orient 3"]
    table.play("orient 3").round_off()
    assert table.moves() == ["orient 0", "orient 1", "orient 2", "orient 3"]
    assert table.view(0).offset == 3


@pytest.mark.parametrize(
    ("seats", "offset", "piles"),
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
def test_fw16_each_seat_takes_from_the_pile_before_its_arm(seats: int, offset: int, piles: list[int]) -> None:
    table = laid(seats)
    tops = table.tops()
    table.play(f"orient {offset}")
    assert table.taken() == [tops[pile] for pile in piles]
    assert table.discards() == " ".join([top for pile, top in enumerate(tops) if pile not in piles])


@pytest.mark.parametrize(("seats", "gone"), [(2, 2), (3, 1), (4, 0)])
def test_fw17_every_pile_gives_one_tile_a_round(seats: int, gone: int) -> None:
    table = laid(seats)
    for number in range(12):
        assert table.view(0).pile_sizes == [12 - number] * 4
        table.play("orient 1")
        assert len(table.state.discards) == gone * (number + 1)
        table.round_off()
    assert table.view(0).pile_sizes == [0] * 4


def test_fw18_what_is_not_taken_is_discarded_at_the_same_moment() -> None:
    table = laid(3)
    top = table.tops()[3]
    table.play("orient 0")
    assert table.discards() == top
    assert table.view(1).discards == table.state.discards


def test_fw19_the_next_four_tops_are_turned_up_before_the_placements() -> None:
    table = laid(2).play("orient 0")
    assert [table.tops(), table.to_move()] == [["-"] * 4, ()]
    for pile in range(4):
        assert all(move.startswith(f"reveal {pile} ") for move in table.moves())
        table.play(table.moves()[0])
    assert table.to_move() == (0, 1)
    assert "-" not in table.tops()


def test_fw19_no_top_is_turned_up_in_the_last_round() -> None:
    table = laid(2)
    for _ in range(11):
        table.play("orient 0").round_off()
    table.play("orient 2")
    assert table.to_move() == (0, 1)
    assert table.tops() == ["-"] * 4


def test_fw20_the_tile_taken_can_neither_be_swapped_nor_refused() -> None:
    table = laid(3).play("orient 0").play_draws()
    for seat in range(3):
        assert {move.split()[0] for move in table.moves(seat)} == {"place"}


def test_the_store_passes_on_clockwise() -> None:
    table = laid(3)
    order = []
    for _ in range(4):
        order.append(table.seat())
        table.play("orient 0").round_off()
    assert order == [0, 1, 2, 0]
