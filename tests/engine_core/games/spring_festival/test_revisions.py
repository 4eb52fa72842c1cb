"""Spring Festival: seats that choose at the same time do not make each other's revisions stale."""

from __future__ import annotations

import pytest

from engine_core.chance import Luck
from engine_core.errors import IllegalMove, NotYourTurn, StaleRevision
from engine_core.game import SPECTATOR
from engine_core.games.spring_festival.state import SpringFestivalOptions
from engine_core.match import AnyMatch, Entry, Match
from tests.engine_core.games.spring_festival.positions import GAME


def start_match(seat_count: int = 3) -> AnyMatch:
    match = Match(GAME, GAME.start(seat_count, SpringFestivalOptions(first_seat=0)), Luck(bytes(32), []))
    match.begin()
    return match


def play_move(match: AnyMatch, seat: int, text: str) -> Entry:
    """Make a move; its entry."""
    return match.play(seat, GAME.parse(text))[0]


def concealed_notation(entry: Entry, observer: int) -> str:
    """The notation of a move as an observer sees it."""
    move = entry.seen_by(observer)
    assert move is not None
    return GAME.notation(move)


def play_default(match: AnyMatch, seat: int) -> None:
    match.play(seat, GAME.default_move(match.state, seat))


def match_in_placing(seat_count: int = 3) -> AnyMatch:
    match = start_match(seat_count)
    for seat in range(seat_count):
        for _ in range(4):
            play_default(match, seat)
    play_move(match, 0, "orient 0")
    return match


def test_a_start_tile_of_another_seat_makes_no_start_tile_stale() -> None:
    match = start_match()
    revision = match.revision
    play_move(match, 0, "lay S1-1 0 0")
    play_move(match, 0, "lay S1-2 1 0")
    match.check_revision(1, revision)
    play_move(match, 1, "lay S2-1 0 0")
    match.check_revision(2, revision)


def test_a_start_tile_on_a_revision_before_the_previous_one_of_its_seat_is_stale() -> None:
    match = start_match()
    revision = match.revision
    play_move(match, 0, "lay S1-1 0 0")
    with pytest.raises(StaleRevision):
        match.check_revision(0, revision)
    match.check_revision(0, match.revision)


def test_a_commitment_makes_no_commitment_of_another_seat_stale() -> None:
    match = match_in_placing()
    revision = match.revision
    for seat in (2, 0):
        match.check_revision(seat, revision)
        play_default(match, seat)
    match.check_revision(1, revision)


def test_a_choice_of_the_previous_round_is_stale() -> None:
    match = match_in_placing()
    revision = match.revision
    for seat in range(3):
        play_default(match, seat)
    while match.to_move() != (0, 1, 2):
        seat = match.to_move()[0]
        play_default(match, seat)
    with pytest.raises(StaleRevision):
        match.check_revision(1, revision)


def test_a_second_commitment_is_refused() -> None:
    match = match_in_placing()
    play_default(match, 1)
    with pytest.raises(NotYourTurn) as refused:
        play_default(match, 1)
    assert refused.value.to_move == (0, 2)


def test_a_concealed_move_cannot_be_played() -> None:
    match = match_in_placing()
    before = match.revision
    with pytest.raises(IllegalMove):
        play_move(match, 1, "place ?")
    assert match.revision == before


def test_the_history_shows_sealed_entries_first_and_the_resolution_as_an_event_of_its_own() -> None:
    match = match_in_placing(2)
    first = play_move(match, 1, "place 2 0")
    last = play_move(match, 0, "place 0 1")
    assert [concealed_notation(first, observer) for observer in (0, 1, SPECTATOR)] == [
        "place ?",
        "place 2 0",
        "place ?",
    ]
    assert [concealed_notation(last, observer) for observer in (0, 1, SPECTATOR)] == ["place 0 1", "place ?", "place ?"]
    assert first.reveals == []
    assert [(reveal.seat, GAME.notation(reveal.move)) for reveal in last.reveals] == [
        (0, "place 0 1"),
        (1, "place 2 0"),
    ]
