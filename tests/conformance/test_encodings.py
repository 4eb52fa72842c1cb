"""Laws: actions number the legal moves, observations follow from views alone, and the bounds of matches hold."""

from __future__ import annotations

import pickle
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_core.encodings import MAX_UTILITY, MIN_UTILITY, Encoding, encoding_of
from engine_core.encodings.options import format_options, parse_options
from engine_core.errors import InvalidOption, MalformedMove
from engine_core.game import EVERYBODY, NATURE, Chance, Over, State, Turn
from engine_core.match import Entry
from tests.conformance.game_setups import GAME_SETUPS, LAW_SETUPS, GameSetup, random_choice

SETUPS = st.sampled_from(GAME_SETUPS)
SEEDS = st.integers(0, 2**32 - 1)


def encoding(setup: GameSetup) -> Encoding:
    return encoding_of(setup.game, setup.seat_count, setup.options())


@settings(max_examples=10, deadline=None)
@given(SETUPS, SEEDS)
def test_legal_actions_are_the_numbers_of_the_legal_moves(setup: GameSetup, seed: int) -> None:
    match, random, encoded = setup.match(seed), Random(seed), encoding(setup)
    while not match.is_over():
        for seat in range(setup.seat_count):
            moves = match.legal_moves(seat)
            actions = encoded.legal_actions(match.state, seat)
            assert actions == sorted(set(actions))
            assert all(0 <= action < encoded.action_count for action in actions)
            assert {encoded.move(action) for action in actions} == set(moves)
            assert {encoded.action(move) for move in moves} == set(actions)
        match.play(*random_choice(match, random))


@pytest.mark.parametrize("setup", GAME_SETUPS, ids=str)
def test_options_are_the_same_after_writing_and_parsing(setup: GameSetup) -> None:
    # What a match has made of its options, too: Fireship fills in colours and rounds.
    for options in (setup.options(), getattr(setup.start(), "options", setup.options())):
        text = format_options(options)
        assert format_options(parse_options(setup.game, text)) == text
        assert pickle.dumps(parse_options(setup.game, text)) == pickle.dumps(options)


@pytest.mark.parametrize("text", ["", "[]", "null", '{"other": "fr"}'])
def test_a_text_without_the_options_of_the_game_is_refused(text: str) -> None:
    with pytest.raises(InvalidOption):
        parse_options(GAME_SETUPS[0].game, text)


@pytest.mark.parametrize("setup", LAW_SETUPS, ids=str)
def test_every_action_has_one_move_of_which_it_is_the_number(setup: GameSetup) -> None:
    encoded = encoding(setup)
    random = Random(1)
    edges = [block.first for block in encoded.actions.blocks] + [encoded.action_count - 1]
    for action in [*edges, *[random.randrange(encoded.action_count) for _ in range(200)]]:
        assert encoded.action(encoded.move(action)) == action


@pytest.mark.parametrize("setup", LAW_SETUPS, ids=str)
def test_no_number_beyond_the_table_and_no_move_of_nature_is_an_action(setup: GameSetup) -> None:
    encoded = encoding(setup)
    for action in (-1, encoded.action_count):
        with pytest.raises(MalformedMove):
            encoded.move(action)
    for outcome in setup.game.legal_moves(setup.start(), NATURE):
        with pytest.raises(MalformedMove):
            encoded.action(outcome)


@settings(max_examples=10, deadline=None)
@given(SETUPS, SEEDS)
def test_observations_keep_to_their_slices_and_follow_from_what_the_seat_knows(setup: GameSetup, seed: int) -> None:
    match, random, encoded = setup.match(seed), Random(seed), encoding(setup)
    assert sum(part.size for part in encoded.slices) == encoded.observation_size
    while not match.is_over():
        if random.random() < 0.1:
            for seat in range(setup.seat_count):
                numbers = encoded.observe(match.state, seat)
                assert len(numbers) == encoded.observation_size
                for part in encoded.slices:
                    values = numbers[part.start : part.start + part.size]
                    assert min(values) >= part.low, part.name
                    assert max(values) <= part.high, part.name
                other = setup.game.determinize(match.state, seat, random)
                assert encoded.observe(other, seat) == numbers
        match.play(*random_choice(match, random))


@pytest.mark.parametrize("setup", LAW_SETUPS, ids=str)
def test_the_slices_of_an_observation_follow_each_other_and_have_different_names(setup: GameSetup) -> None:
    encoded = encoding(setup)
    end = 0
    for part in encoded.slices:
        assert part.start == end
        assert part.text
        end += part.size
    assert len({part.name for part in encoded.slices}) == len(encoded.slices)


@settings(max_examples=10, deadline=None)
@given(SETUPS, SEEDS)
def test_matches_stay_within_their_bounds(setup: GameSetup, seed: int) -> None:
    encoded, random, game = encoding(setup), Random(seed), setup.game
    state: State = encoded.start()
    moves = 0
    while not isinstance(phase := game.phase(state), Over):
        assert encoded.returns(state) == [0.0] * setup.seat_count
        if isinstance(phase, Chance):
            outcomes = game.legal_moves(state, NATURE)
            assert len(outcomes) <= encoded.max_chance_outcomes
            game.apply(state, NATURE, random.choices(outcomes, game.weights(state))[0])
            continue
        assert isinstance(phase, Turn)
        seat = random.choice(phase.seats)
        game.apply(state, seat, random.choice(game.legal_moves(state, seat)))
        moves += 1
    assert moves <= encoded.max_moves
    returns = encoded.returns(state)
    winners = game.score(state).winners
    assert abs(sum(returns)) < 1e-9
    assert all(MIN_UTILITY <= value <= MAX_UTILITY for value in returns)
    assert [seat for seat in range(setup.seat_count) if returns[seat] > 0] in (winners, [])


@settings(max_examples=6, deadline=None)
@given(SETUPS, SEEDS)
def test_information_states_recall_all_that_a_seat_has_seen_and_nothing_else(setup: GameSetup, seed: int) -> None:
    match, random, encoded = setup.match(seed), Random(seed), encoding(setup)
    log: list[Entry] = []
    unseen = [
        Entry(0, NATURE, None, EVERYBODY, None, [], epoch="0"), Entry(0, 0, None, EVERYBODY, None, [], is_hint=True)
    ]  # fmt: skip
    before = [encoded.information_state(log, seat) for seat in range(setup.seat_count)]
    for _ in range(20):
        if match.is_over():
            break
        log += match.play(*random_choice(match, random))
        for seat in range(setup.seat_count):
            text = encoded.information_state(log, seat)
            assert text.startswith(before[seat] + "\n")
            concealed = [
                Entry(each.revision, each.seat, each.seen_by(seat), each.audience, each.seen_by(seat), each.reveals)
                for each in log
            ]
            assert encoded.information_state(concealed, seat) == text
            assert encoded.information_state([*unseen, *log], seat) == text
            before[seat] = text


def test_a_game_that_offers_no_such_seats_has_no_encoding() -> None:
    for setup in GAME_SETUPS:
        with pytest.raises(InvalidOption):
            encoding_of(setup.game, setup.game.max_seats + 1)
