"""Laws: points are the sum of their breakdown, ranks follow from them, and winners are there at the end only."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine_core.game import Over
from tests.conformance.game_setups import GAME_SETUPS, GameSetup, random_choice


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(GAME_SETUPS), st.integers(0, 2**32 - 1))
def test_points_breakdown_ranks_and_winners_agree(setup: GameSetup, seed: int) -> None:
    match = setup.match(seed)
    random = Random(seed)
    over = False
    while not over:
        over = match.is_over()
        score = setup.game.score(match.state)
        assert [standing.seat for standing in score.standings] == list(range(setup.seat_count))
        assert all(sum(line.points for line in s.breakdown) == s.points for s in score.standings)
        ranks = sorted(standing.rank for standing in score.standings)
        assert all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks)
        assert bool(score.winners) == bool(score.reason) == over
        if over:
            assert score.winners == [standing.seat for standing in score.standings if standing.rank == 1]
            phase = match.phase()
            assert isinstance(phase, Over)
            assert phase.reason == score.reason
        else:
            match.play(*random_choice(match, random))


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(GAME_SETUPS), st.integers(0, 2**32 - 1))
def test_a_seat_that_left_ranks_below_all_that_stayed(setup: GameSetup, seed: int) -> None:
    match = setup.match(seed)
    random = Random(seed)
    leaver = random.randrange(setup.seat_count)
    for _ in range(random.randrange(40)):
        if not match.is_over():
            match.play(*random_choice(match, random))
    if match.is_over():
        return
    match.leave(leaver)
    while not match.is_over():
        match.play(*random_choice(match, random))
    standings = setup.game.score(match.state).standings
    stayed = [standing.rank for standing in standings if standing.seat != leaver]
    assert standings[leaver].rank > max(stayed)
