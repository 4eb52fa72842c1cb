"""MCTS bot with a policy/value function: what the function gets, what its numbers do, and numbers that are refused."""

from __future__ import annotations

import re
from math import exp, inf, nan
from pathlib import Path
from random import Random

import pytest

from engine_core.bots.bot import AnyObservation, run
from engine_core.bots.ismcts import Edge
from engine_core.bots.mcts import MctsBot
from engine_core.bots.observation import Observation
from engine_core.bots.puct import set_priors
from engine_core.chance import Luck
from engine_core.encodings import encoding_of
from engine_core.game import Move
from engine_core.games import GAMES, game_named
from engine_core.match import AnyMatch, Match
from tests.conformance.plain import plain
from tests.engine_core.bots.test_winning import decisive_positions, winning_moves

ITERATIONS = 60
DOCS = Path(__file__).parents[3] / "docs" / "bots.md"


def uniform(observation: AnyObservation, moves: list[Move]) -> tuple[list[float], list[float]]:
    return [1.0] * len(moves), [0.5] * 2


def position(name: str, choices: int) -> AnyMatch:
    """A position of two seats after some random choices, in which the next seat has several moves."""
    game, random = game_named(name), Random(choices)
    match: AnyMatch = Match(game, game.start(2, next(iter(game.presets().values()))), Luck(bytes(32), []))
    match.begin()
    while choices > 0 or len(match.legal_moves(match.to_move()[0])) < 2:
        match.play(match.to_move()[0], random.choice(match.legal_moves(match.to_move()[0])))
        choices -= 1
    return match


def observation_of(match: AnyMatch) -> AnyObservation:
    return Observation(match.game, match.state, match.to_move()[0])


@pytest.mark.parametrize(("name", "choices"), [("fire_bulls", 12), ("spring_festival", 20)])
def test_the_function_sees_nothing_that_its_seat_may_not_know(name: str, choices: int) -> None:
    """The true state and another one that looks the same to the seat give it the same observations, and one choice."""
    match = position(name, choices)
    seat = match.to_move()[0]
    seen: list[tuple[int, bytes]] = []
    encoding = encoding_of(match.game, 2)

    def recorded(observation: AnyObservation, moves: list[Move]) -> tuple[list[float], list[float]]:
        assert moves == observation.legal_moves()
        seen.append((observation.seat, observation.encode(encoding)))
        return uniform(observation, moves)

    bot = MctsBot(iterations=ITERATIONS, policy_value=recorded)
    others = [GAMES[name].determinize(match.state, seat, Random(number)) for number in range(10)]
    other = max(others, key=lambda each: plain(each) != plain(match.state))
    chosen = [bot.choose(Observation(match.game, state, seat), Random(1)) for state in (match.state, other)]
    half = len(seen) // 2
    assert plain(other) != plain(match.state)
    assert chosen[0] == chosen[1]
    assert seen[:half] == seen[half:]
    assert ITERATIONS // 2 < half <= 2 * ITERATIONS
    assert {mover for mover, _ in seen} == {0, 1}


def test_visits_follow_the_priors_where_all_values_are_equal() -> None:
    match = position("fire_bulls", 4)
    moves: list[Move] = match.legal_moves(match.to_move()[0])
    preferred = moves[-1]

    def policy(observation: AnyObservation, moves: list[Move]) -> tuple[list[float], list[float]]:
        return [9.0 if move == preferred else 1.0 / len(moves) for move in moves], [0.5, 0.5]

    bot = MctsBot(iterations=ITERATIONS, policy_value=policy)
    evaluated = run(bot.evaluate(observation_of(match), Random(1)))
    assert [each.move for each in evaluated if each.is_best] == [preferred]
    assert sum(each.visits for each in evaluated) == ITERATIONS
    assert max(each.visits for each in evaluated) > ITERATIONS / 2
    assert all(each.value == pytest.approx(0.5) for each in evaluated)


def test_values_of_seats_guide_the_search_against_the_priors() -> None:
    """After the first move the position is worth 0.9 to the seat, after any other 0.1."""
    match = position("fireship", 20)
    seat, best = match.to_move()[0], match.legal_moves(match.to_move()[0])[0]
    after = match.game.next_state(match.state, seat, best)

    def value(observation: AnyObservation, moves: list[Move]) -> tuple[list[float], list[float]]:
        is_after_best = plain(observation.view()) == plain(match.game.view(after, observation.seat))
        worth = 0.9 if is_after_best else 0.1
        return [1.0] * len(moves), [worth if each == seat else 1 - worth for each in range(2)]

    evaluated = run(MctsBot(iterations=ITERATIONS, policy_value=value).evaluate(observation_of(match), Random(1)))
    assert [each.move for each in evaluated if each.is_best] == [best]


def test_a_win_is_found_by_the_ranks_at_the_end_of_the_match() -> None:
    game = GAMES["fireship"]
    state, seat = next(decisive_positions(game, 100))
    move = MctsBot(iterations=200, policy_value=uniform).choose(Observation(game, state, seat), Random(1))
    assert move in winning_moves(game, state, seat)


@pytest.mark.parametrize(
    ("priors", "values"),
    [([1.0], [0.5, 0.5]), (None, [0.5]), (None, [0.5, 1.5]), (None, [0.5, float("nan")]), ([-1.0], [0.5, 0.5])],
)
def test_numbers_of_a_wrong_count_or_range_are_refused(priors: list[float] | None, values: list[float]) -> None:
    match = position("fire_bulls", 4)

    def wrong(observation: AnyObservation, moves: list[Move]) -> tuple[list[float], list[float]]:
        return priors or [1.0] * len(moves), values

    with pytest.raises(ValueError, match="must give each"):
        MctsBot(policy_value=wrong).choose(observation_of(match), Random(1))


@pytest.mark.parametrize("prior", [-1.0, inf, nan])
def test_a_prior_that_is_negative_or_not_finite_is_refused(prior: float) -> None:
    def wrong(observation: AnyObservation, moves: list[Move]) -> tuple[list[float], list[float]]:
        return [prior] * len(moves), [0.5, 0.5]

    with pytest.raises(ValueError, match="finite prior of at least 0"):
        MctsBot(policy_value=wrong).choose(observation_of(position("fire_bulls", 4)), Random(1))


@pytest.mark.parametrize("calls", [["AB", "BC", "AC"], ["BC", "AB", "AC"], ["BC", "AC", "AB"]])
def test_priors_of_different_calls_are_scaled_to_each_other(calls: list[str]) -> None:
    """A policy shares 1 among the moves that are legal in each call; here A is e^10 times as good as B and as C."""
    logits = {"A": 10.0, "B": 0.0, "C": 0.0}
    edges = {name: Edge() for name in logits}
    for call in calls:
        total = sum(exp(logits[name]) for name in call)
        set_priors([edges[name] for name in call], [exp(logits[name]) / total for name in call])
    assert edges["B"].prior / edges["A"].prior == pytest.approx(exp(-10))
    assert edges["C"].prior / edges["A"].prior == pytest.approx(exp(-10))


def test_the_example_of_the_docs_chooses_a_move() -> None:
    [example] = [
        block for block in re.findall(r"```python\n(.*?)```", DOCS.read_text(), re.DOTALL) if "MctsBot" in block
    ]
    names: dict[str, MctsBot] = {}
    exec(example, names)
    match = position("fire_bulls", 4)
    assert names["bot"].choose(observation_of(match), Random(1)) in match.legal_moves(match.to_move()[0])
