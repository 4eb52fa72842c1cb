"""Spring Festival: placing a tile, replacing another, applause, and placing at the same time."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from engine_core.explore import random_step
from engine_core.game import SPECTATOR
from engine_core.games.spring_festival.stages import PLACING
from engine_core.games.spring_festival.state import SpringFestivalOptions, SpringFestivalState
from tests.conformance.plain import plain
from tests.engine_core.games.spring_festival.positions import (
    GAME,
    ONE_TILE,
    START_SETS,
    Position,
    move_of,
    new_position,
    position_after_start_tiles,
)


def place_tile(shown: str, tile: str, square: str) -> Position:
    """Seat 0 places a tile; seat 1 too, far from everything that matters."""
    return new_position([shown, ONE_TILE], [tile, "T01"]).play(f"0: place {square}", "1: place 1 0")


def test_fw21_a_seat_must_place_and_always_can() -> None:
    random = Random(21)
    state = GAME.start(3, SpringFestivalOptions())
    placement_count = 0
    while random_step(GAME, state, random):
        if state.stage == PLACING:
            for seat in range(3):
                moves = GAME.legal_moves(state, seat)
                placement_count += bool(moves)
                assert {GAME.notation(move).split()[0] for move in moves} <= {"place"}
                assert bool(moves) == (state.seats_to_move >> seat & 1 == 1)
    assert placement_count > 12 * 3


def test_fw22_fw24_a_tile_is_placed_next_to_a_tile_or_replaces_one_and_corners_do_not_count() -> None:
    position = new_position(["T03@0,0 T06@1,0", ONE_TILE])
    assert position.moves(0) == [
        *["place 0 -1", "place 1 -1"],
        *["place -1 0", "place 0 0", "place 1 0", "place 2 0"],
        *["place 0 1", "place 1 1"],
    ]
    assert "place -1 -1" not in position.moves(0)


@pytest.mark.parametrize(("x", "y"), [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_fw23_a_display_may_grow_in_one_direction_to_its_end(x: int, y: int) -> None:
    names = [name for name in " ".join(START_SETS[:1]).replace("@", " ").split() if name.startswith("S")]
    names += [f"T{number:02}" for number in range(13, 24)]
    line = " ".join([f"{name}@{x * place},{y * place}" for place, name in enumerate(names)])
    position = new_position([line, "S2-1@0,0"], ["T24", "T25"]).play(f"0: place {15 * x} {15 * y}", "1: place 1 0")
    assert position.display().split()[-1] == f"T24!@{15 * x},{15 * y}"


@pytest.mark.parametrize("old", ["S1-1", "T31", "T31!"])
def test_fw24_any_tile_may_be_replaced_and_leaves_the_game(old: str) -> None:
    position = place_tile(f"{old}@0,0 T36@1,0", "T13", "0 0")
    assert position.display().split()[0] == "T13!@0,0"
    assert position.replaced() == old.rstrip("!")


def test_fw25_applause_for_a_replaced_tile_stays() -> None:
    position = new_position(
        [f"T37@0,0 {ONE_TILE.replace('0,0', '1,0')}", "T06@0,0"], ["T31", "T01"], applause=[3, 0], completed=["C01"]
    )
    position.play("0: place 0 0", "1: place 1 0")
    assert position.applause()[0] >= 3
    assert position.completed() == "C01"


def test_fw26_a_replacement_is_paid_again_for_a_spark_that_was_there() -> None:
    """T45 and T48 have their half sparks E, S, W: the spark between them is replaced by one of the same kind."""
    position = place_tile("T45@0,0 T48@1,0", "T39", "0 0")
    assert position.applause()[0] == 1


def test_fw26_a_replacement_loses_the_sparks_of_the_tile_that_leaves() -> None:
    position = place_tile("T45@0,0 T48@1,0", "T03", "0 0")
    assert position.applause()[0] == 0
    assert position.state.seats[0].display.complete_sparks(1) == 0


def test_fw27_a_tile_is_never_turned() -> None:
    """T44 has one arrow, E: wherever it lies it explodes its neighbour on that side only."""
    assert place_tile("T03@0,0", "T44", "-1 0").exploded() == "T03 T44"
    assert [place_tile("T03@0,0", "T44", square).exploded() for square in ("1 0", "0 1", "0 -1")] == ["T44"] * 3


def test_fw28_the_new_tile_explodes_after_it_was_applauded() -> None:
    position = place_tile("T36@0,0", "T44", "-1 0")
    assert position.applause()[0] == 0
    assert position.exploded() == "T36 T44"


@pytest.mark.parametrize("face", ["", "!"])
def test_fw29_a_spark_is_complete_whatever_the_face_of_the_neighbour(face: str) -> None:
    """P p. 6: E half spark of the left tile, W half spark of the new right one."""
    assert place_tile(f"T36{face}@0,0", "T33", "1 0").applause()[0] == 1


def test_fw29_only_sparks_on_the_edges_of_the_new_tile_pay() -> None:
    """T36 and T33 share a spark already; T27 completes another one with T36."""
    position = place_tile("T36@0,0 T33@1,0", "T27", "-1 0")
    assert position.applause()[0] == 1


def test_fw29_a_tile_may_complete_three_sparks_at_once() -> None:
    """T43 has N, E and S; its neighbours the opposite half sparks."""
    position = place_tile("T45@0,-1 T46@1,-1 T48@1,0 T42@1,1 T39@0,1 T40@0,2", "T43", "0 0")
    assert position.applause()[0] == 2
    position = place_tile("T38@0,-1 T46@1,-1 T48@1,0 T42@1,1 T40@0,1", "T43", "0 0")
    assert position.applause()[0] == 3


PLACEMENTS = {
    2: ["0: place 0 -1", "1: place 2 0"],
    3: ["0: place 0 -1", "1: place 2 0", "2: place 1 1"],
    4: ["0: place 0 -1", "1: place 2 0", "2: place 1 1", "3: place 0 0"],
}


@pytest.mark.parametrize("seat_count", [2, 3, 4])
def test_fw30_every_order_of_arrival_gives_the_same_state(seat_count: int) -> None:
    states = []
    for order in permutations(PLACEMENTS[seat_count]):
        position = position_after_start_tiles(seat_count).play("orient 1").play_draws().play(*order)
        states.append(plain(position.state))
    assert all(state == states[0] for state in states)


@pytest.mark.parametrize("seat_count", [2, 3, 4])
def test_fw30_every_order_of_whole_matches_gives_the_same_state(seat_count: int) -> None:
    """Each seat plays its own choices, decided by its own generator, in an order that differs from match to match."""
    states = []
    for order in permutations(range(seat_count)):
        position = position_after_start_tiles(seat_count)
        players = [Random(f"player {seat}") for seat in range(seat_count)]
        while not position.reason():
            position.play_draws()
            for seat in [seat for seat in order if seat in position.to_move()]:
                position.play(f"{seat}: {players[seat].choice(position.moves(seat))}")
        states.append(plain(position.state))
    assert all(state == states[0] for state in states)


@pytest.mark.parametrize("seat_count", [2, 3, 4])
def test_fw30_a_seat_sees_only_that_another_has_committed(seat_count: int) -> None:
    position = position_after_start_tiles(seat_count).play("orient 0").play_draws()
    for seat in range(seat_count - 1):
        others = [other for other in range(seat_count) if other != seat]
        before = {other: view_of(position.state, other) for other in [*others, SPECTATOR]}
        moves = {other: position.moves(other) for other in others}
        position.play(f"{seat}: {position.moves(seat)[-1]}")
        for observer, earlier in before.items():
            now = view_of(position.state, observer)
            assert is_committed(now, seat)
            assert without_commitment(now, seat) == without_commitment(earlier, seat)
        assert {other: position.moves(other) for other in others} == moves
        assert position.to_move() == tuple(range(seat + 1, seat_count))


def view_of(state: SpringFestivalState, observer: int) -> dict[str, object]:
    view = plain(GAME.view(state, observer))
    assert isinstance(view, dict)
    return view


def is_committed(view: dict[str, object], seat: int) -> bool:
    seats = view["seats"]
    assert isinstance(seats, list)
    return bool(seats[seat]["committed"])


def without_commitment(view: dict[str, object], seat: int) -> dict[str, object]:
    seats = view["seats"]
    assert isinstance(seats, list)
    rest = [({**each, "committed": False} if number == seat else each) for number, each in enumerate(seats)]
    return {**view, "seats": rest}


def test_fw30_a_commitment_is_seen_by_its_seat_alone() -> None:
    position = position_after_start_tiles(3).play("orient 0").play_draws().play("1: place 0 -1")
    assert position.audience(1, "place 0 -1") == 0b010
    assert GAME.notation(GAME.conceal(position.state, 1, move_of("place 0 -1"))) == "place ?"
    assert [position.view(observer).seats[1].placement >= 0 for observer in (0, 1, 2, SPECTATOR)] == [
        False,
        True,
        False,
        False,
    ]
    assert [position.view(observer).seats[1].committed for observer in (0, 1, 2, SPECTATOR)] == [True] * 4


def test_fw30_a_commitment_is_final() -> None:
    position = position_after_start_tiles(3).play("orient 0").play_draws().play("1: place 0 -1")
    assert position.moves(1) == []
    assert position.to_move() == (0, 2)


def test_fw30_the_last_commitment_reveals_and_resolves_all() -> None:
    position = position_after_start_tiles(3).play("orient 0").play_draws().play("1: place 0 -1", "0: place 1 0")
    assert position.reveals(2, "place 0 0") == ["0: place 1 0", "1: place 0 -1", "2: place 0 0"]
    assert position.exploded(0) == position.exploded(1) == ""
    position.play("2: place 0 0")
    assert all(position.exploded(seat) for seat in range(3))
    assert position.taken() == ["-"] * 3


def test_fw30_an_earlier_commitment_reveals_nothing() -> None:
    position = position_after_start_tiles(3).play("orient 0").play_draws().play("1: place 0 -1")
    assert position.reveals(0, "place 1 0") == []
