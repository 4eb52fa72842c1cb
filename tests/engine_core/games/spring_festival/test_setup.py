"""Spring Festival: the setup, up to the first turn of the store."""

from __future__ import annotations

from itertools import permutations

import pytest

from engine_core.errors import InvalidOption
from engine_core.game import SPECTATOR
from engine_core.games.spring_festival.components import SIGNS
from engine_core.games.spring_festival.state import SpringFestivalOptions
from tests.conformance.plain import plain
from tests.engine_core.games.spring_festival.positions import GAME, Position, position_after_start_tiles, start_position


@pytest.mark.parametrize("seat_count", [0, 1, 5])
def test_fw04_other_numbers_of_seats_are_refused(seat_count: int) -> None:
    with pytest.raises(InvalidOption) as refused:
        GAME.start(seat_count, SpringFestivalOptions())
    assert refused.value.field == "seats"


@pytest.mark.parametrize("seat_count", [2, 3, 4])
def test_fw05_seat_s_lays_the_start_set_s_plus_one(seat_count: int) -> None:
    position = start_position(seat_count).play_draws()
    for seat in range(seat_count):
        assert position.moves(seat) == [f"lay S{seat + 1}-{number} 0 0" for number in range(1, 5)]


def test_fw07_only_the_tops_of_the_store_are_seen_and_all_else_is_undrawn() -> None:
    position = position_after_start_tiles()
    view = position.view(SPECTATOR)
    assert len(view.top_tiles) == 4
    assert view.pile_sizes == [12, 12, 12, 12]
    assert sorted(view.top_tiles + view.undrawn) == list(range(16, 64))


def test_fw08_fw09_every_seat_has_two_open_cards_of_each_kind() -> None:
    position = position_after_start_tiles(3)
    view = position.view(SPECTATOR)
    for seat in view.seats:
        assert [card < 36 for card in seat.cards] == [True, True, False, False]
    assert len(view.undrawn_patterns) == len(view.undrawn_colours) == 24 - 6


@pytest.mark.parametrize("seat_count", [2, 3, 4])
def test_fw14_nature_reveals_deals_and_draws_in_this_order(seat_count: int) -> None:
    position = Position(GAME.start(seat_count, SpringFestivalOptions("random")))
    draws: list[str] = []
    purposes: list[str] = []
    while not position.to_move():
        purposes.append(position.purpose())
        draws.append(" ".join(position.moves()[0].split()[:2]))
        position.play(position.moves()[0])
    deals = [f"deal {seat}" for seat in range(seat_count) for _ in range(2)]
    assert draws == [f"reveal {pile}" for pile in range(4)] + deals * 2 + ["sign goat", "first_seat 0"]
    assert purposes == ["store"] * 4 + ["pattern"] * 2 * seat_count + ["colour"] * 2 * seat_count + [
        "sign",
        "first_seat",
    ]


def test_fw14_a_sign_given_by_the_options_is_not_drawn() -> None:
    for sign in ("none", *SIGNS):
        position = start_position(2, sign).play_draws()
        assert position.to_move() == (0, 1)
        assert GAME.view(position.state, 0).sign == (SIGNS.index(sign) if sign in SIGNS else -1)


def test_fw14_each_of_the_twelve_signs_may_be_drawn() -> None:
    position = Position(GAME.start(2, SpringFestivalOptions("random", False, 1)))
    while position.purpose() != "sign":
        position.play(position.moves()[0])
    assert position.moves() == [f"sign {sign}" for sign in SIGNS]
    assert position.play("sign horse").state.sign == SIGNS.index("horse")


def test_fw13_the_first_active_seat_is_an_option_or_drawn() -> None:
    position = Position(GAME.start(3, SpringFestivalOptions()))
    while position.purpose() != "first_seat":
        position.play(position.moves()[0])
    assert position.moves() == ["first_seat 0", "first_seat 1", "first_seat 2"]
    position.play("first_seat 2")
    while len(position.to_move()) > 1:
        position.all_default()
    assert position.to_move() == (2,)
    assert Position(GAME.start(3, SpringFestivalOptions(first_seat=1))).play_draws().state.active_seat == 1


@pytest.mark.parametrize("first", [-2, 3])
def test_fw13_a_first_seat_that_does_not_exist_is_refused(first: int) -> None:
    with pytest.raises(InvalidOption):
        GAME.start(3, SpringFestivalOptions(first_seat=first))


def test_an_unknown_sign_is_refused() -> None:
    with pytest.raises(InvalidOption):
        GAME.start(3, SpringFestivalOptions("cat"))


def test_fw10_the_first_tile_is_in_the_middle_and_each_other_one_next_to_a_laid_tile() -> None:
    position = start_position().play_draws().play("0: lay S1-2 0 0")
    around = ["0 -1", "-1 0", "1 0", "0 1"]
    assert position.moves(0) == [f"lay {tile} {square}" for tile in ("S1-1", "S1-3", "S1-4") for square in around]
    position.play("0: lay S1-1 1 0")
    assert position.moves_starting("lay S1-3", 0) == [
        f"lay S1-3 {s}" for s in ("0 -1", "1 -1", "-1 0", "2 0", "0 1", "1 1")
    ]


def test_fw10_every_connected_lay_out_can_be_reached() -> None:
    """The nineteen shapes of four squares, in each of four positions of the first tile."""
    shapes: set[frozenset[tuple[int, int]]] = set()
    front = [frozenset([(0, 0)])]
    for _ in range(3):
        front = [
            shape | {(x + dx, y + dy)}
            for shape in front
            for x, y in shape
            for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))
            if (x + dx, y + dy) not in shape
        ]
    shapes.update(front)
    assert reachable_layouts(start_position().play_draws()) == shapes


def reachable_layouts(position: Position) -> set[frozenset[tuple[int, int]]]:
    found: set[frozenset[tuple[int, int]]] = set()
    waiting = [position.state]
    while waiting:
        state = waiting.pop()
        for move in GAME.legal_moves(state, 0):
            if not GAME.notation(move).startswith(f"lay S1-{len(state.seats[0].display.tiles) + 1}"):
                continue
            after = GAME.next_state(state, 0, move)
            squares = frozenset((square % 33 - 16, square // 33 - 16) for square in after.seats[0].display.squares)
            if len(squares) == 4:
                found.add(squares)
            else:
                waiting.append(after)
    return found


LAYINGS = {
    2: ["0: lay S1-1 0 0", "0: lay S1-2 1 0", "1: lay S2-4 0 0", "1: lay S2-3 0 1"],
    3: ["0: lay S1-1 0 0", "1: lay S2-4 0 0", "2: lay S3-2 0 0", "2: lay S3-4 -1 0"],
    4: ["0: lay S1-1 0 0", "1: lay S2-4 0 0", "2: lay S3-2 0 0", "3: lay S4-3 0 0"],
}


def arrival_orders(texts: list[str]) -> list[tuple[str, ...]]:
    """All orders of arrival in which each seat keeps its own."""
    own = [[text for text in texts if text[0] == seat] for seat in "0123"]
    return [
        order
        for order in permutations(texts)
        if [[text for text in order if text[0] == seat] for seat in "0123"] == own
    ]


@pytest.mark.parametrize(("seat_count", "number"), [(2, 6), (3, 12), (4, 24)])
def test_fw11_start_tiles_laid_in_any_order_of_arrival_give_the_same_state(seat_count: int, number: int) -> None:
    states = []
    for order in arrival_orders(LAYINGS[seat_count]):
        position = start_position(seat_count).play_draws().play(*order)
        for seat in range(seat_count):
            while position.view(seat).seats[seat].unlaid:
                position.play(f"{seat}: {position.default(seat)}")
        states.append(plain(position.state))
    assert len(states) == number
    assert all(state == states[0] for state in states)


def test_fw11_start_tiles_are_seen_by_their_seat_alone_until_all_are_laid() -> None:
    position = start_position().play_draws().play("0: lay S1-3 0 0", "0: lay S1-1 0 1")
    own, other, spectator = (position.view(observer).seats[0] for observer in (0, 1, SPECTATOR))
    assert (own.display.tiles, own.unlaid, own.laid) == ([2, 0], [1, 3], 2)
    assert (other.display.tiles, other.unlaid, other.laid) == ([], [], 2)
    assert plain(other) == plain(spectator)
    position.play("0: lay S1-2 1 0", "0: lay S1-4 1 1")
    while len(position.view(1).seats[1].unlaid) > 0:
        assert position.view(1).seats[0].display.tiles == []
        position.play(f"1: {position.default(1)}")
    assert position.view(1).seats[0].display.tiles == [2, 0, 1, 3]


def test_fw11_the_last_start_tile_reveals_all_of_them() -> None:
    position = (
        start_position().play_draws().play("0: lay S1-1 0 0", "0: lay S1-2 1 0", "0: lay S1-3 2 0", "0: lay S1-4 3 0")
    )
    position.play("1: lay S2-1 0 0", "1: lay S2-2 0 1", "1: lay S2-3 0 2")
    assert position.audience(1, "lay S2-4 0 3") == 0b10
    assert position.reveals(1, "lay S2-4 0 3") == [
        *[f"0: lay S1-{number} {number - 1} 0" for number in range(1, 5)],
        *[f"1: lay S2-{number} 0 {number - 1}" for number in range(1, 5)],
    ]
    assert position.play("1: lay S2-4 0 3").to_move() == (0,)


def test_fw11_no_start_tile_may_be_moved_later() -> None:
    position = start_position().play_draws().play("0: lay S1-1 0 0")
    assert not position.moves_starting("lay S1-1", 0)
    while 0 in position.to_move():
        position.play(f"0: {position.default(0)}")
    assert position.moves(0) == []


def test_fw12_sparks_of_the_setup_are_not_applauded() -> None:
    position = (
        start_position().play_draws().play("0: lay S1-1 0 0", "0: lay S1-2 -1 0", "0: lay S1-3 0 1", "0: lay S1-4 1 1")
    )
    while len(position.to_move()) == 1 and position.moves()[0].startswith("lay"):
        position.all_default()
    assert position.state.seats[0].display.complete_sparks(0) == 1
    assert position.applause() == [0, 0]


def test_fw12_sparks_of_the_setup_count_for_the_dragon() -> None:
    position = start_position(2, "dragon").play_draws()
    position.play("0: lay S1-1 0 0", "0: lay S1-2 -1 0", "0: lay S1-3 0 1", "0: lay S1-4 1 1")
    assert position.breakdown()["sign"] == 0
    while position.view(1).seats[1].unlaid:
        position.play(f"1: {position.default(1)}")
    assert position.breakdown()["sign"] == 2
