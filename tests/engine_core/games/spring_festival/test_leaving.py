"""Spring Festival: seats whose player has left, and time that has run out."""

from __future__ import annotations

from random import Random

import pytest

from engine_core.chance import Luck
from engine_core.game import SPECTATOR
from engine_core.games.spring_festival import consistency
from engine_core.games.spring_festival.squares import NO_SQUARE
from engine_core.games.spring_festival.state import SpringFestivalOptions
from engine_core.match import Match, replay
from tests.conformance.plain import plain
from tests.engine_core.games.spring_festival.positions import (
    GAME,
    ONE_TILE,
    START_SETS,
    finale_position,
    new_position,
    position_after_start_tiles,
    start_position,
)


def test_fw70_when_only_one_has_stayed_the_match_is_over_and_it_wins() -> None:
    position = position_after_start_tiles(3).leave(0)
    assert position.reason() == ""
    position.leave(2)
    assert (position.reason(), position.winners(), position.ranks()) == ("left", [1], [2, 1, 2])


def test_fw70_seats_that_left_rank_by_points_below_all_that_stayed() -> None:
    position = (
        new_position([ONE_TILE, ONE_TILE.replace("T03", "T06"), "T09@0,0", "T12@0,0"], applause=[9, 1, 5, 0])
        .leave(0)
        .leave(2)
    )
    assert position.ranks() == [3, 1, 4, 2]


def test_fw70_a_seat_that_left_lays_its_start_tiles_by_default_when_the_others_have() -> None:
    position = start_position(3).play_draws().play("1: lay S2-3 0 0").leave(1)
    assert position.to_move() == (0, 2)
    assert len(position.state.seats[1].display.tiles) == 1
    while len(position.to_move()) > 1 or position.moves(position.to_move()[0])[0].startswith("lay"):
        position.all_default()
    assert position.display(1) == "S2-3@0,0 S2-1@0,-1 S2-2@-1,0 S2-4@1,0"


def test_fw70_the_last_seat_that_owes_start_tiles_leaves_and_lays_them_by_default() -> None:
    position = start_position(3).play_draws()
    for seat in (0, 2):
        while position.view(seat).seats[seat].unlaid:
            position.play(f"{seat}: {position.default(seat)}")
    assert position.leave(1).to_move() == (0,)
    assert position.absent == ["1: lay S2-1 0 0", "1: lay S2-2 0 -1", "1: lay S2-3 -1 0", "1: lay S2-4 1 0"]
    assert position.display(1) == "S2-1@0,0 S2-2@0,-1 S2-3@-1,0 S2-4@1,0"


def test_fw70_for_a_seat_that_left_the_store_stays_and_the_next_is_active_in_turn() -> None:
    position = position_after_start_tiles(3).play("orient 2").round_off()
    assert position.seat() == 1
    tops = position.tops()
    position.leave(1)
    assert position.taken() == [tops[2], tops[3], tops[0]]
    position.play_draws().all_default().pass_all()
    assert position.seat() == 2


def test_fw70_the_last_to_owe_a_placement_leaves_and_all_are_resolved() -> None:
    position = position_after_start_tiles(3).play("orient 0").play_draws().play("0: place 2 0", "2: place 2 0")
    position.leave(1)
    assert position.absent == ["1: place 0 1", "1: orient 0"]
    position.pass_all()
    assert position.display(1).split()[-1].endswith("!@0,1")


def test_fault20_the_turn_of_the_store_and_the_launch_of_an_absent_seat_are_in_the_log() -> None:
    match = Match(GAME, GAME.start(3, SpringFestivalOptions(first_seat=0)), Luck(bytes(32), []))
    entries = match.begin()
    while match.state.round == 0:
        entries += match.play(match.to_move()[0], GAME.default_move(match.state, match.to_move()[0]))
    entries += match.leave(1)
    while not match.is_over():
        entries += match.play(match.to_move()[0], GAME.default_move(match.state, match.to_move()[0]))
    moves = [GAME.notation(entry.move) for entry in entries if entry.seat == 1 and entry.move]
    verbs = [text.split()[0] for text in moves]
    assert [verbs.count(verb) for verb in ("lay", "orient", "place", "launch")] == [4, 4, 12, 1]
    launched = [entry.seat for entry in entries if entry.move and GAME.notation(entry.move).startswith("launch")]
    assert launched == [0, 2, 1], "last in its phase"


def test_fw70_the_compositions_of_an_absent_seat_are_passed_in_the_log() -> None:
    row = "T10!@0,0 T47!@1,0 T11!@2,0"
    position = new_position([row, ONE_TILE, "T06@0,0"], ["T48", "T39", "T41"], held=["C01"]).leave(0)
    position.play("1: place 1 0", "2: place 1 0")
    assert position.absent == ["0: place 0 -1", "0: pass"]


def test_fw70_an_absent_seat_has_its_default_move_alone() -> None:
    position = position_after_start_tiles(3)
    GAME.leave(position.state, 0)
    assert (position.to_move(), position.moves(0)) == ((0,), ["orient 0"])


def test_fault20_after_the_end_no_fact_of_the_last_round_is_set() -> None:
    row = "T10!@0,0 T47!@1,0 T11!@2,0"
    position = new_position([row, ONE_TILE], ["T48", "T39"], held=["C01"]).play("0: place 0 1", "1: place 1 0")
    assert position.view(1).composing_seat == 0
    over = [
        position.leave(0),
        position_after_start_tiles(2).play("orient 1").play_draws().play("0: place 2 0").leave(1),
    ]
    over.append(finale_position([ONE_TILE, "T06@0,0"]).play("0: launch 0 0", "1: launch 0 0"))
    for position in over:
        assert position.reason()
        consistency.check_seats(position.state)
        for observer in (SPECTATOR, 0, 1):
            view = position.view(observer)
            assert (view.active_seat, view.composing_seat) == (-1, -1)
            assert not any(seat.committed or seat.placement != NO_SQUARE for seat in view.seats)


def test_fw70_a_commitment_made_before_leaving_stands() -> None:
    position = position_after_start_tiles(3).play("orient 0").play_draws().play("1: place 2 0").leave(1)
    position.play("0: place 2 0", "2: place 2 0")
    assert position.display(1).split()[-1].endswith("@2,0")


def test_fw70_a_seat_that_left_completes_nothing() -> None:
    row = "T10!@0,0 T47!@1,0 T11!@2,0"
    position = new_position([row, ONE_TILE, "T06@0,0"], ["T48", "T39", "T41"], held=["C01"])
    position.play("0: place 0 1", "1: place 1 0", "2: place 1 0")
    assert position.seat() == 0
    assert position.leave(0).moves()[0] == "orient 0"


def test_fw70_a_seat_that_left_launches_the_best_finale() -> None:
    position = finale_position(["T44@0,0 T43@1,0", "T06@0,0", "T09@0,0"]).leave(0)
    position.play("1: launch 0 0", "2: launch 0 0")
    assert (position.reason(), position.breakdown(0)["finale"]) == ("finale", 2)


@pytest.mark.parametrize("seed", range(6))
def test_fw70_a_match_with_a_seat_that_left_is_replayed_from_its_log(seed: int) -> None:
    random = Random(seed)
    options = SpringFestivalOptions("random")
    match = Match(GAME, GAME.start(4, options), Luck(bytes([seed] * 32), []))
    entries = match.begin()
    for _ in range(random.randrange(60)):
        seat = random.choice(match.to_move())
        entries += match.play(seat, random.choice(match.legal_moves(seat)))
    entries += match.leave(random.randrange(4))
    while not match.is_over():
        seat = random.choice(match.to_move())
        entries += match.play(seat, random.choice(match.legal_moves(seat)))
    again = replay(GAME, 4, options, entries)
    assert plain(again.state) == plain(match.state)
    sealed = [entry for entry in entries if entry.move and entry.seen_by(SPECTATOR) != entry.move]
    revealed = [reveal.move for entry in entries for reveal in entry.reveals]
    assert len(revealed) == 4 * 4 + 4 * 12
    assert all(entry.move in revealed for entry in sealed)


def test_fw71_start_tiles_go_by_number_to_the_free_square_nearest_to_the_first() -> None:
    position = start_position(2).play_draws()
    moves = []
    for _ in range(4):
        moves.append(position.default(0))
        position.play(f"0: {moves[-1]}")
    assert moves == ["lay S1-1 0 0", "lay S1-2 0 -1", "lay S1-3 -1 0", "lay S1-4 1 0"]


def test_fw71_the_default_move_leaves_the_store_as_it_is() -> None:
    position = position_after_start_tiles(2)
    assert position.default() == "orient 0"
    position.play("orient 3").round_off()
    assert position.default() == "orient 3"


@pytest.mark.parametrize(
    ("shown", "square"),
    [
        ("T03@0,0", "0 -1"),
        ("T03@0,0 T06@0,-1", "-1 0"),
        ("T03@0,0 T06@0,-1 T09@-1,0 T12@1,0", "0 1"),
        ("T03@0,0 T06@0,-1 T09@-1,0 T12@1,0 T15@0,1", "-1 -1"),
        ("T03@0,0 T06@1,0 T09@2,0", "0 -1"),
    ],
)
def test_fw71_a_tile_goes_to_the_nearest_free_square_the_first_in_reading_order(shown: str, square: str) -> None:
    assert new_position([shown, "S2-1@0,0"]).default(0) == f"place {square}"


def test_fw71_the_default_move_passes_compositions() -> None:
    position = new_position(["T10!@0,0 T47!@1,0 T11!@2,0", ONE_TILE], ["T48", "T39"], held=["C01"])
    assert position.play("0: place 0 1", "1: place 1 0").default() == "pass"


@pytest.mark.parametrize(
    ("shown", "square"),
    [("T44@0,0 T43@1,0", "0 0"), ("T37@0,0 T48@1,0 T44@2,0 T43@3,0", "2 0"), (START_SETS[0], "0 1")],
)
def test_fw71_the_finale_is_the_first_rocket_among_those_that_set_off_the_most(shown: str, square: str) -> None:
    assert finale_position([shown, ONE_TILE]).default(0) == f"launch {square}"


def test_fw72_points_before_the_end_are_the_current_ones() -> None:
    position = new_position(["T44!@0,0 T43!@1,0", ONE_TILE], applause=[2, 1], completed=["C01 P01"], sign="pig")
    assert position.breakdown(0) == {
        "finale": 0,
        "applause": 2,
        "majorities": 3,
        "composition-c01": 4,
        "composition-p01": 5,
        "sign": 2,
    }
    assert (position.ranks(), position.winners()) == ([1, 2], [])


def test_fw72_the_sign_counts_nothing_until_all_start_tiles_are_laid() -> None:
    position = start_position(2, sign="dog").play_draws().play("0: lay S1-4 0 0", "1: lay S2-4 0 0")
    while position.state.round == 0:
        assert [position.breakdown(seat)["sign"] for seat in range(2)] == [0, 0]
        position.play(f"{position.to_move()[-1]}: {position.default(position.to_move()[-1])}")
    assert [position.breakdown(seat)["sign"] for seat in range(2)] == [3, 3]


def test_fw72_equal_seats_share_a_rank_and_the_next_is_skipped() -> None:
    position = new_position([ONE_TILE, "T06@0,0", "T09@0,0"], applause=[2, 2, 1])
    assert position.ranks() == [1, 1, 3]


def test_fw73_there_are_three_public_heaps() -> None:
    position = (
        position_after_start_tiles(2).play("orient 0").play_draws().play("0: place 0 0", "1: place 0 1").pass_all()
    )
    view = position.view(SPECTATOR)
    assert (len(view.discards), view.replaced, view.unused) == (2, [0], list(range(8, 16)))
