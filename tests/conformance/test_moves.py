"""Laws: legal moves are complete, distinct and stable; they apply, and anything else is refused and changes nothing."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_core.errors import GameError, IllegalMove, MatchOver, NotYourTurn
from engine_core.game import NATURE, Chance, Over, Turn
from tests.conformance.game_setups import GAME_SETUPS, LAW_SETUPS, GameSetup, random_choice
from tests.conformance.plain import plain

SETUPS = st.sampled_from(GAME_SETUPS)
SEEDS = st.integers(0, 2**32 - 1)


@settings(max_examples=12, deadline=None)
@given(SETUPS, SEEDS)
def test_lists_of_legal_moves_are_distinct_and_stable_and_change_nothing(setup: GameSetup, seed: int) -> None:
    match = setup.match(seed)
    random = Random(seed)
    while not match.is_over():
        before = plain(match.state)
        for seat in range(setup.seat_count):
            moves = match.legal_moves(seat)
            assert moves == match.legal_moves(seat)
            assert len(set(moves)) == len(moves)
            assert bool(moves) == (seat in match.to_move())
        for observer in setup.observers():
            setup.game.view(match.state, observer)
        setup.game.score(match.state)
        assert plain(match.state) == before
        match.play(*random_choice(match, random))


@settings(max_examples=12, deadline=None)
@given(SETUPS, SEEDS)
def test_parse_is_the_inverse_of_notation(setup: GameSetup, seed: int) -> None:
    match = setup.match(seed)
    random = Random(seed)
    game = setup.game
    while not match.is_over():
        for seat in match.to_move():
            moves = match.legal_moves(seat)
            texts = [game.notation(move) for move in moves]
            assert [game.parse(text) for text in texts] == moves
            assert len(set(texts)) == len(texts)
        for entry in match.play(*random_choice(match, random)):
            assert game.parse(game.notation(entry.concealed)) == entry.concealed


@settings(max_examples=5, deadline=None)
@given(SETUPS, SEEDS)
def test_moves_of_another_position_are_refused_and_change_nothing(setup: GameSetup, seed: int) -> None:
    match = setup.match(seed)
    random = Random(seed)
    seen: set[object] = set()
    while not match.is_over():
        for seat in match.to_move():
            legal = match.legal_moves(seat)
            before = plain(match.state), match.revision
            others = sorted(seen.difference(legal), key=setup.game.notation)
            for move in random.sample(others, min(5, len(others))):
                with pytest.raises(IllegalMove):
                    match.play(seat, move)
            assert (plain(match.state), match.revision) == before
            seen.update(legal[:3])
        match.play(*random_choice(match, random))


@pytest.mark.parametrize("setup", LAW_SETUPS, ids=str)
def test_a_seat_that_is_not_to_move_is_refused(setup: GameSetup) -> None:
    match = setup.match(seed=3)
    random = Random(3)
    for _ in range(40):
        seat, move = random_choice(match, random)
        for other in range(setup.seat_count):
            if other not in match.to_move():
                with pytest.raises(NotYourTurn):
                    match.play(other, move)
        match.play(seat, move)
        if match.is_over():
            break


@pytest.mark.parametrize("setup", LAW_SETUPS, ids=str)
def test_a_move_after_the_end_is_refused(setup: GameSetup) -> None:
    match = setup.match(seed=4)
    random = Random(4)
    while not match.is_over():
        seat, move = random_choice(match, random)
        match.play(seat, move)
    for anyone in [NATURE, *range(setup.seat_count)]:
        assert match.legal_moves(anyone) == []
        with pytest.raises(MatchOver):
            match.play(anyone, move)


@pytest.mark.parametrize("setup", LAW_SETUPS, ids=str)
def test_a_seat_that_does_not_exist_is_refused(setup: GameSetup) -> None:
    match = setup.match(seed=5)
    _, move = random_choice(match, Random(5))
    for seat in (-3, setup.seat_count, 1000):
        with pytest.raises(GameError):
            match.play(seat, move)


@settings(max_examples=12, deadline=None)
@given(SETUPS, SEEDS)
def test_phases_legal_moves_and_weights_agree(setup: GameSetup, seed: int) -> None:
    """Somebody can always move until the match is over; nature has outcomes with weights in a chance phase only."""
    game = setup.game
    state = setup.start()
    random = Random(seed)
    while True:
        phase = game.phase(state)
        outcomes = game.legal_moves(state, NATURE)
        assert len(outcomes) == len(game.weights(state))
        assert bool(outcomes) == isinstance(phase, Chance)
        assert all(weight > 0 for weight in game.weights(state))
        if isinstance(phase, Chance) and phase.pool:
            assert max(game.weights(state)) < 32, "the copies that have left a pool are kept as a mask of 32 bits"
        if isinstance(phase, Over):
            break
        seat = random.choice(phase.seats) if isinstance(phase, Turn) else NATURE
        game.apply(state, seat, random.choice(game.legal_moves(state, seat)))


@settings(max_examples=12, deadline=None)
@given(SETUPS, SEEDS)
def test_a_draw_is_the_only_change_of_a_pool(setup: GameSetup, seed: int) -> None:
    """So an item that is used up can be forgotten."""
    game = setup.game
    state = setup.start()
    random = Random(seed)
    pools: dict[str, dict[str, int]] = {}
    while not isinstance(phase := game.phase(state), Over):
        seat = random.choice(phase.seats) if isinstance(phase, Turn) else NATURE
        move = random.choice(game.legal_moves(state, seat))
        if isinstance(phase, Chance) and phase.pool:
            items = [game.pool_item(outcome) for outcome in game.legal_moves(state, NATURE)]
            counts = dict(zip(items, game.weights(state), strict=True))
            expected_counts = pools.setdefault(phase.pool, counts)
            assert {item: count for item, count in expected_counts.items() if count} == counts
            expected_counts[game.pool_item(move)] -= 1
        game.apply(state, seat, move)
