"""Fireship: the board against section 2 of the rulings."""

from __future__ import annotations

import pytest

from engine_core.games.fireship.board import (
    BASES,
    BATTLESHIP_SQUARE,
    COASTS,
    IS_SEA,
    ISLAND_CELLS,
    KRAKEN_REACH,
    MYSTERY,
    NAMES,
    NEARBY_ISLANDS,
    NEARBY_SQUARES,
    PORT_OF,
    PORTS,
    SIZE,
    SPECIAL,
    SQUARES,
    SQUARES_NEAR_ISLAND,
    WHEEL,
    paths_from,
)
from engine_core.games.fireship.components import ROWS

SEA = [square for square in range(SQUARES) if IS_SEA[square]]
QUARTER_TURN = [(column * SIZE) + SIZE - 1 - row for row in range(SIZE) for column in range(SIZE)]
"""Where a quarter turn, clockwise, puts each square."""
HOME_CORNERS = {1: 0, 3: 1, 9: 2, 7: 3}
"""Quarter turns that make each corner island the home island of green."""


def square_named(name: str) -> int:
    return NAMES.index(name)


def square_names(squares: list[int]) -> str:
    return " ".join([NAMES[square] for square in sorted(squares)])


def test_fs02_the_board_is_15_by_15_with_165_squares_of_sea() -> None:
    assert [len(row) for row in ROWS] == [15] * 15
    assert len(SEA) == 165


def test_fs02_islands_have_the_sizes_of_the_drawing() -> None:
    assert [len(cells) for cells in ISLAND_CELLS] == [4, 6, 4, 6, 4, 6, 4, 6, 4]
    assert [len(coast) for coast in COASTS] == [8, 10, 8, 10, 12, 10, 8, 10, 8]


def test_fs11_each_port_is_a_sea_square_next_to_its_island() -> None:
    for island, port in enumerate(PORTS):
        assert PORT_OF[port] == island
        assert port in SQUARES_NEAR_ISLAND[island]
    assert square_names(PORTS) == "e4 h5 l5 e8 h8 k8 d11 h11 k12"


def test_fs02_there_are_four_wheels_four_battleship_squares_and_eight_mystery_squares() -> None:
    assert [SPECIAL.count(kind) for kind in (WHEEL, BATTLESHIP_SQUARE, MYSTERY)] == [4, 4, 8]
    assert all(IS_SEA[square] for square in range(SQUARES) if SPECIAL[square])


def test_fs02_all_bases_have_the_same_distances() -> None:
    for flies in (False, True):
        for turn in range(4):
            one, other = [paths_from(BASES[base % 4], flies).lengths for base in (turn, turn + 1)]
            assert all(one[square] == other[QUARTER_TURN[square]] for square in SEA)


def test_fs02_a_quarter_turn_changes_nothing_about_the_squares() -> None:
    assert all(SPECIAL[square] == SPECIAL[QUARTER_TURN[square]] for square in SEA)
    assert all(IS_SEA[square] == IS_SEA[QUARTER_TURN[square]] for square in range(SQUARES))


@pytest.mark.parametrize(
    ("island", "attack_square", "port", "port_by_plane"),
    [
        (1, 1, 5, 5),
        (2, 4, 9, 9),
        (4, 4, 9, 9),
        (5, 8, 12, 12),
        (7, 9, 11, 10),
        (3, 9, 13, 12),
        (6, 13, 15, 14),
        (8, 13, 15, 14),
        (9, 18, 19, 17),
    ],
)
def test_distances_from_the_green_base_are_those_of_the_table(
    island: int, attack_square: int, port: int, port_by_plane: int
) -> None:
    boat, plane = [paths_from(BASES[0], flies).lengths for flies in (False, True)]
    assert min([boat[square] for square in SQUARES_NEAR_ISLAND[island - 1]]) == attack_square
    assert boat[PORTS[island - 1]] == port
    assert plane[PORTS[island - 1]] == port_by_plane


def test_distances_to_special_squares_are_those_of_the_table() -> None:
    boat = paths_from(BASES[0], flies=False).lengths
    nearest = {kind: min([boat[s] for s in SEA if SPECIAL[s] == kind]) for kind in (WHEEL, BATTLESHIP_SQUARE, MYSTERY)}
    assert (nearest[WHEEL], nearest[BATTLESHIP_SQUARE], nearest[MYSTERY]) == (6, 8, 4)


def test_distances_are_the_same_in_both_directions() -> None:
    for flies in (False, True):
        paths = {square: paths_from(square, flies).lengths for square in SEA}
        for one in SEA:
            assert all(paths[one][other] == paths[other][one] for other in SEA)


def test_fs33_within_one_square_is_the_square_and_the_eight_around() -> None:
    assert square_names(NEARBY_SQUARES[square_named("h10")]) == "h9 g10 h10 i10 g11 h11 i11"  # g9 and i9 are land
    assert len(NEARBY_SQUARES[square_named("h15")]) == 6


def test_fs73_the_kraken_reaches_two_squares_around_cut_at_the_edge() -> None:
    assert len(KRAKEN_REACH[square_named("h1")]) == 3 * 5 - 3
    assert square_named("f1") in KRAKEN_REACH[square_named("h1")]
    assert square_named("e1") not in KRAKEN_REACH[square_named("h1")]


def test_fs54_no_base_is_near_anything() -> None:
    assert all(not NEARBY_SQUARES[base] and not NEARBY_ISLANDS[base] for base in BASES)


def test_targets_are_nearest_first_then_northmost_and_westmost() -> None:
    for flies in (False, True):
        for square in [*SEA, *BASES]:
            paths = paths_from(square, flies)
            keys = [(paths.lengths[target], target) for target in paths.targets]
            assert keys == sorted(keys)
            assert len(keys) == 165 - (square in SEA)
            for steps in (0, 1, 7, 36):
                assert paths.within[steps] == sum([length <= steps for length, _ in keys])


def test_no_way_starts_on_a_square_where_no_pawn_can_stand() -> None:
    land = next(square for square in range(SQUARES) if not IS_SEA[square] and square not in BASES)
    assert paths_from(land, flies=True).lengths == paths_from(land, flies=True).targets == []


def test_fs117_a1_is_the_north_western_corner_and_o15_the_south_eastern() -> None:
    assert (NAMES[0], NAMES[14], NAMES[210], NAMES[224]) == ("a1", "o1", "a15", "o15")
    assert [NAMES[base] for base in BASES] == ["a1", "o1", "o15", "a15"]


def test_corner_islands_are_each_others_quarter_turns() -> None:
    for island, turns in HOME_CORNERS.items():
        cells = ISLAND_CELLS[0]
        for _ in range(turns):
            cells = [QUARTER_TURN[cell] for cell in cells]
        assert sorted(cells) == ISLAND_CELLS[island - 1]


def flood_distances(start: int, flies: bool) -> dict[int, int]:
    """Lengths of the shortest ways from a square of the sea, found point by point on the drawing."""
    sea = {(r, c) for r in range(SIZE) for c in range(SIZE) if ROWS[r][c] not in "GBRY123456789"}
    coasts = {square: {ROWS[r][c] for r, c in adjacent_squares(square)} & set("123456789") for square in sea}
    reached = {divmod(start, SIZE): 0}
    for length in range(1, 60):
        near = {
            other for square, before in reached.items() if before == length - 1 for other in adjacent_squares(square)
        }
        over = {island for square, before in reached.items() if before == length - 4 for island in coasts[square]}
        landing = {square for square in sea if flies and coasts[square] & over}
        reached |= dict.fromkeys((sea & near | landing) - set(reached), length)
    return {row * SIZE + column: length for (row, column), length in reached.items()}


def adjacent_squares(square: tuple[int, int]) -> set[tuple[int, int]]:
    """The squares of the board that touch a square with a side."""
    row, column = square
    neighbours = {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}
    return {(r, c) for r, c in neighbours if 0 <= r < SIZE and 0 <= c < SIZE}


@pytest.mark.parametrize("flies", [False, True])
def test_fs24_fs26_distances_equal_a_flood_fill_of_the_drawn_board(flies: bool) -> None:
    for start in SEA[::7]:
        assert {square: paths_from(start, flies).lengths[square] for square in SEA} == flood_distances(start, flies)
