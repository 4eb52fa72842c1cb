"""Matches: what is stale, who left, and that a refused move changes nothing."""

from __future__ import annotations

import pytest

from engine_core.chance import Luck
from engine_core.errors import (
    EndlessPlay,
    IllegalMove,
    MatchOver,
    NotYourTurn,
    SeatHasLeft,
    SeatOutOfRange,
    StaleRevision,
)
from engine_core.game import EVERYBODY, NATURE, Chance
from engine_core.games.fire_bulls.moves import DRAW, HIDDEN, STOP, Qi
from engine_core.games.fire_bulls.rules import FireBulls
from engine_core.games.fire_bulls.state import FireBullsOptions
from engine_core.games.fireship.moves import TIME_UP
from engine_core.games.fireship.rules import Fireship
from engine_core.games.fireship.state import FireshipOptions
from engine_core.match import MAX_DRAWS, AnyMatch, Match, replay
from tests.conformance.plain import plain

GAME = FireBulls()
FIRESHIP = Fireship()


def start_match(seat_count: int = 2) -> AnyMatch:
    match = Match(GAME, GAME.start(seat_count, FireBullsOptions(first_seat=0)), Luck(bytes(32), []))
    match.begin()
    return match


def test_nature_sets_up_before_the_first_move_of_a_seat() -> None:
    match = start_match(2)
    assert match.to_move() == (0,)
    assert match.revision == match.phase_start >= 9 + 2 + 6 + 3


def test_a_move_on_the_current_revision_is_accepted() -> None:
    match = start_match()
    match.check_revision(0, match.revision)
    for expected in (match.revision - 1, match.revision + 1, 0):
        with pytest.raises(StaleRevision) as stale:
            match.check_revision(0, expected)
        assert (stale.value.expected, stale.value.current) == (expected, match.revision)


def test_every_move_makes_a_revision_stale() -> None:
    match = start_match()
    before = match.revision
    match.play(0, DRAW)
    with pytest.raises(StaleRevision):
        match.check_revision(0, before)


def test_an_illegal_move_changes_nothing() -> None:
    match = start_match()
    revision = match.revision
    with pytest.raises(IllegalMove) as illegal:
        match.play(0, STOP)
    assert (illegal.value.seat, illegal.value.notation) == (0, "stop")
    assert (match.revision, match.to_move()) == (revision, (0,))


def test_the_error_of_a_move_out_of_turn_names_the_seats_to_move() -> None:
    with pytest.raises(NotYourTurn) as refused:
        start_match().play(1, DRAW)
    assert refused.value.to_move == (0,)


@pytest.mark.parametrize("seat", [-2, 2, 99])
def test_a_seat_must_exist(seat: int) -> None:
    match = start_match()
    with pytest.raises(SeatOutOfRange):
        match.play(seat, DRAW)
    with pytest.raises(SeatOutOfRange):
        match.legal_moves(seat)
    with pytest.raises(SeatOutOfRange):
        match.leave(seat)


def test_a_seat_leaves_once_and_is_logged() -> None:
    match = start_match(3)
    (entry,) = match.leave(1)
    assert (entry.seat, entry.move, entry.revision) == (1, None, match.revision)
    with pytest.raises(SeatHasLeft):
        match.leave(1)


def test_leaving_a_match_that_is_over_is_refused() -> None:
    match = start_match(2)
    match.leave(0)
    assert match.is_over()
    with pytest.raises(MatchOver):
        match.leave(1)


def test_without_luck_the_caller_makes_the_moves_of_nature() -> None:
    match = Match(GAME, GAME.start(2, FireBullsOptions()), None)
    assert match.begin() == []
    assert isinstance(match.phase(), Chance)
    outcome = match.legal_moves(NATURE)[0]
    (entry,) = match.play(NATURE, outcome)
    assert (entry.seat, entry.move, match.revision) == (NATURE, outcome, 1)


def test_a_hidden_draw_is_shown_to_its_seat_only() -> None:
    entry = start_match().play(0, DRAW)[1]
    assert isinstance(entry.move, Qi)
    assert entry.move.card != HIDDEN
    assert [entry.seen_by(observer) for observer in (0, 1, -2)] == [entry.move, Qi(0, HIDDEN), Qi(0, HIDDEN)]


def fireship_match(luck: Luck | None) -> AnyMatch:
    match = Match(FIRESHIP, FIRESHIP.start(2, FireshipOptions(rounds=5)), luck)
    match.begin()
    return match


def test_the_time_can_be_up_only_once() -> None:
    match = fireship_match(Luck(bytes(32), []))
    (entry,) = match.play_time_up()
    assert (entry.seat, entry.move, entry.audience, entry.revision) == (NATURE, TIME_UP, EVERYBODY, match.revision)
    assert match.play_time_up() == []
    with pytest.raises(NotYourTurn):
        match.play(NATURE, TIME_UP)


def test_the_time_may_be_up_while_any_seat_is_to_move() -> None:
    match = fireship_match(None)
    assert isinstance(match.phase(), Chance)
    match.play(NATURE, TIME_UP)
    with pytest.raises(IllegalMove):
        match.play(NATURE, TIME_UP)


def test_the_end_of_the_time_makes_no_move_stale() -> None:
    match = fireship_match(Luck(bytes(32), []))
    answered = match.revision
    match.play_time_up()
    match.check_revision(match.to_move()[0], answered)


def test_a_log_in_which_the_time_was_up_leads_to_its_state() -> None:
    match = Match(FIRESHIP, FIRESHIP.start(2, FireshipOptions(rounds=5)), Luck(bytes(32), []))
    entries = match.begin()
    while not match.is_over():
        seat = match.to_move()[0]
        entries += match.play(seat, FIRESHIP.default_move(match.state, seat))
        if match.state.round == 3:
            entries += match.play_time_up()
    assert [entry.move for entry in entries].count(TIME_UP) == 1
    assert match.state.reason == "time_limit"
    again = replay(FIRESHIP, 2, FireshipOptions(rounds=5), entries)
    assert plain(again.state) == plain(match.state)


def test_the_time_of_a_game_without_a_clock_is_never_up() -> None:
    match = start_match()
    assert match.play_time_up() == []


def test_the_time_cannot_be_up_after_the_end() -> None:
    match = fireship_match(Luck(bytes(32), []))
    match.leave(0)
    assert match.play_time_up() == []
    with pytest.raises(MatchOver):
        match.play(NATURE, TIME_UP)


def test_fault01_a_match_whose_chance_never_ends_is_stopped() -> None:
    """A state that no check lets in: the turn of the seat that throws highest would be skipped before it begins."""
    state = FIRESHIP.start(2, FireshipOptions())
    for seat in state.seats:
        seat.turns_to_skip = 1
    match = Match(FIRESHIP, state, Luck(bytes(32), []))
    with pytest.raises(EndlessPlay, match=f"fireship: drawing for 'first' does not end, after {MAX_DRAWS} steps"):
        match.begin()
    assert match.revision == MAX_DRAWS


def test_fault17_the_message_of_a_stale_revision_also_suits_tournaments() -> None:
    assert str(StaleRevision(9, 4)) == "expected revision 9, but the revision is 4"
