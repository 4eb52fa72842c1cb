"""Laws of the log: every change of a position is an entry of it, so that observers can follow by the entries alone."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_core.chance import Luck
from engine_core.game import EVERYBODY, NATURE, SPECTATOR, Move, Over, State, Turn
from engine_core.games import AnyGame
from engine_core.match import AnyMatch, Entry, Match
from services.engine.codecs import CODECS
from tests.conformance.game_setups import GAME_SETUPS, LAW_SETUPS, GameSetup, random_choice
from tests.conformance.plain import plain

PRESENCE_FIELDS = {"has_left", "seats_to_answer"}
"""Fields of views that say which seats have left and which owe an answer."""
SETUPS_OF_THREE_OR_MORE = [setup for setup in GAME_SETUPS if setup.seat_count > 2]
"""Setups where a match can continue after a seat has left."""


def match_steps(setup: GameSetup, seed: int, stay: int = 1) -> Iterator[tuple[AnyMatch, list[Entry]]]:
    """A match with everything that may happen in one, and the lines of each step: some play at random, some are late,
    some leave, though so many stay, and the time may be up."""
    random = Random(seed)
    match = Match(setup.game, setup.start(), Luck(seed.to_bytes(32, "big"), []))
    leavers = random.sample(range(setup.seat_count), random.randint(0, setup.seat_count - stay))
    leaving = {int(250 ** random.random()): seat for seat in leavers}
    yield match, match.begin()
    number = 0
    while not match.is_over():
        number += 1
        if number in leaving:
            yield match, match.leave(leaving[number])
        elif random.random() < 0.2:
            seat = match.to_move()[0]
            yield match, match.play(seat, setup.game.default_move(match.state, seat))
        elif random.random() < 0.01:
            yield match, match.play_time_up()
        else:
            yield match, match.play(*random_choice(match, random))


def log_lines(setup: GameSetup, seed: int, stay: int = 1) -> Iterator[tuple[State, Entry]]:
    """Each line of such a match, with the position before it."""
    state = setup.start()
    for _, entries in match_steps(setup, seed, stay):
        for entry in entries:
            yield setup.game.copy(state), entry
            apply_entry(setup.game, state, entry)


def apply_entry(game: AnyGame, state: State, entry: Entry) -> None:
    """What a line says, and nothing else."""
    if entry.move is None:
        game.leave(state, entry.seat)
    else:
        game.apply(state, entry.seat, entry.move)


def seats_to_move(game: AnyGame, state: State) -> tuple[int, ...]:
    phase = game.phase(state)
    return phase.seats if isinstance(phase, Turn) else ()


def is_over(game: AnyGame, state: State) -> bool:
    return isinstance(game.phase(state), Over)


def spectator_view(game: AnyGame, state: State, excluded: set[str]) -> object:
    """What a spectator sees, without the facts of these names."""
    return without_fields(plain(game.view(state, SPECTATOR)), excluded)


def without_fields(value: object, excluded: set[str]) -> object:
    if isinstance(value, list):
        return [without_fields(item, excluded) for item in value]
    if isinstance(value, dict):
        return {name: without_fields(item, excluded) for name, item in value.items() if name not in excluded}
    return value


def is_sealed_answer_dropped(game: AnyGame, before: State, after: State, seat: int) -> bool:
    """Whether the seat alone owed a sealed answer, and owes it no more: such a question may fall away (FS-109)."""
    if seats_to_move(game, before) != (seat,) or seat in seats_to_move(game, after):
        return False
    move: Move = game.default_move(before, seat)
    return game.audience(before, seat, move) != EVERYBODY


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(GAME_SETUPS), st.integers(0, 2**32 - 1))
def test_fault20_only_log_entries_change_a_match(setup: GameSetup, seed: int) -> None:
    """Each line is what was to be made when it came; made one by one they give the position to the last byte."""
    game, codec = setup.game, CODECS[setup.game.name]
    state = setup.start()
    revision = 0
    for match, entries in match_steps(setup, seed):
        for entry in entries:
            revision += 1
            assert entry.revision == revision
            if entry.move is None:
                assert entry.reveals == [] or plain(entry.reveals) == plain(game.reveals_by_leaving(state, entry.seat))
                assert not game.has_left(state, entry.seat)
            elif entry.move != game.time_up_move(state):
                assert entry.move in game.legal_moves(state, entry.seat)
                assert entry.seat == NATURE or entry.seat in seats_to_move(game, state)
            apply_entry(game, state, entry)
        assert codec.write_state(state) == codec.write_state(match.state)
        assert not any(game.has_left(state, seat) for seat in match.to_move())


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(GAME_SETUPS), st.integers(0, 2**32 - 1))
def test_fault20_play_can_continue_from_every_position_of_a_log(setup: GameSetup, seed: int) -> None:
    """Also between the moves of absent seats, and at the end, where no fact of a running turn may be set."""
    codec = CODECS[setup.game.name]
    for match, _ in match_steps(setup, seed):
        codec.check(match.state)
    for state, _ in log_lines(setup, seed):
        codec.check(state)


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(GAME_SETUPS), st.integers(0, 2**32 - 1))
def test_fault20_leaving_changes_only_which_seats_are_present(setup: GameSetup, seed: int) -> None:
    game = setup.game
    for state, _ in log_lines(setup, seed):
        for seat in range(setup.seat_count):
            if is_over(game, state) or game.has_left(state, seat):
                continue
            after = game.copy(state)
            game.leave(after, seat)
            if not is_over(game, after) and not is_sealed_answer_dropped(game, state, after, seat):
                assert spectator_view(game, after, PRESENCE_FIELDS) == spectator_view(game, state, PRESENCE_FIELDS)
                assert game.reveals_by_leaving(state, seat) == []


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(SETUPS_OF_THREE_OR_MORE), st.integers(0, 2**32 - 1))
def test_fault20_a_move_has_the_same_effect_after_a_seat_has_left(setup: GameSetup, seed: int) -> None:
    """Leaving makes no choice for the seat: it comes to be to move as if it were present."""
    game = setup.game
    random = Random(seed)
    compared = 0
    for state, entry in log_lines(setup, seed, stay=3):
        leaver = random.randrange(setup.seat_count)
        if entry.move is None or entry.seat == leaver or game.has_left(state, leaver):
            continue
        left = game.copy(state)
        game.leave(left, leaver)
        if is_over(game, left) or entry.move not in game.legal_moves(left, entry.seat):
            continue
        apply_entry(game, state, entry)
        apply_entry(game, left, entry)
        if not is_over(game, left) and (
            leaver in seats_to_move(game, left) or not is_sealed_answer_dropped(game, state, left, leaver)
        ):
            compared += 1
            assert spectator_view(game, left, PRESENCE_FIELDS) == spectator_view(game, state, PRESENCE_FIELDS)
    assert compared > 10


@pytest.mark.parametrize("setup", LAW_SETUPS, ids=str)
def test_fault20_every_revealed_move_has_its_own_entry(setup: GameSetup) -> None:
    for seed in range(3):
        hidden_moves = []
        for _, entries in match_steps(setup, seed):
            for entry in entries:
                if entry.audience != EVERYBODY:
                    hidden_moves.append((entry.seat, entry.move))
                for reveal in entry.reveals:
                    assert (reveal.seat, reveal.move) in hidden_moves


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(GAME_SETUPS), st.integers(0, 2**32 - 1))
def test_fault20_concealed_entries_lead_to_the_same_view(setup: GameSetup, seed: int) -> None:
    """Another position that looks the same to an observer, and a line that does: they go on to look the same."""
    game = setup.game
    random = Random(seed)
    followed = missed = 0
    for state, entry in log_lines(setup, seed):
        observer = random.choice(setup.observers())
        copied = game.determinize(state, observer, random)
        after = game.copy(state)
        apply_entry(game, after, entry)
        if entry.move is None:
            assert plain(game.reveals_by_leaving(copied, entry.seat)) == plain(entry.reveals)
            game.leave(copied, entry.seat)
        elif (alike := indistinguishable_move(game, copied, entry, observer)) is not None:
            game.apply(copied, entry.seat, alike)
        else:
            missed += 1
            continue
        followed += 1
        assert plain(game.view(copied, observer)) == plain(game.view(after, observer))
        assert seats_to_move(game, copied) == seats_to_move(game, after)
    assert followed > missed


def indistinguishable_move(game: AnyGame, copied: State, entry: Entry, observer: int) -> Move | None:
    """A move of the copied that the observer could not tell from that of the line."""
    shown = entry.seen_by(observer), plain(entry.reveals)
    if entry.move == game.time_up_move(copied):
        return entry.move
    for move in game.legal_moves(copied, entry.seat):
        audience = game.audience(copied, entry.seat, move)
        concealed = move if audience == EVERYBODY else game.conceal(copied, entry.seat, move)
        twin_entry = Entry(0, entry.seat, move, audience, concealed, game.reveals(copied, entry.seat, move))
        if (twin_entry.seen_by(observer), plain(twin_entry.reveals)) == shown:
            found: Move = move
            return found
    return None


@pytest.mark.parametrize("setup", SETUPS_OF_THREE_OR_MORE, ids=str)
def test_fault20_an_absent_seat_has_entries_like_any_other(setup: GameSetup) -> None:
    """Who has left at the first move is active in its turns, as the log has it, and asks nobody for them."""
    match = setup.match(seed=6)
    leaver = match.to_move()[-1]
    entries = match.leave(leaver)
    for _ in range(200):
        if match.is_over():
            break
        seat = match.to_move()[0]
        entries += match.play(seat, setup.game.default_move(match.state, seat))
    mine = [entry for entry in entries[1:] if entry.seat == leaver]
    assert len(mine) > 5
    assert all(entry.move for entry in mine)


@pytest.mark.parametrize("setup", SETUPS_OF_THREE_OR_MORE, ids=str)
def test_fault20_without_luck_the_caller_moves_absent_seats(setup: GameSetup) -> None:
    match = setup.match(seed=7)
    by_hand: AnyMatch = Match(setup.game, setup.game.copy(match.state), None)
    leaver = by_hand.to_move()[0]
    assert len(by_hand.leave(leaver)) == 1
    while leaver not in by_hand.to_move():
        phase = by_hand.phase()
        seat = phase.seats[0] if isinstance(phase, Turn) else NATURE
        by_hand.play(seat, by_hand.legal_moves(seat)[0])
    (move,) = by_hand.legal_moves(leaver)
    assert move == setup.game.default_move(by_hand.state, leaver)
    assert [entry.seat for entry in by_hand.play(leaver, move)] == [leaver]
