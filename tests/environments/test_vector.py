"""The vector environment plays what single matches play, and begins new ones where they end."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from engine_core.errors import IllegalMove
from environments.play import Play
from environments.vector import Step, Vector
from tests.conformance.game_setups import GAME_SETUPS, GameSetup

SETUPS = pytest.mark.parametrize("setup", GAME_SETUPS, ids=str)


def vector(setup: GameSetup, matches: int) -> Vector:
    return Vector(setup.game.name, matches, seats=setup.seat_count, preset=setup.preset, seed=4, masks=True)


def random_actions(step: Step, random: np.random.Generator) -> npt.NDArray[np.int64]:
    counts = np.bincount(step.legal_matches)
    first = np.cumsum(counts) - counts
    chosen = first + (random.random(len(counts)) * counts).astype(np.int64)
    return np.asarray(step.legal_actions[chosen])


@SETUPS
def test_a_vector_of_one_plays_the_match_of_its_seed(setup: GameSetup) -> None:
    environment = vector(setup, 1)
    play = Play(environment.encoding, 4)
    random = np.random.default_rng(4)
    step = environment.reset()
    while not step.finished[0]:
        seat = int(step.seats[0])
        assert seat == play.to_move()[0]
        assert step.masks is not None
        assert (step.observations[0] == play.observation(seat)).all()
        assert (step.masks[0] == play.mask(seat)).all()
        [action] = random_actions(step, random)
        step = environment.step(np.array([action]))
        play.play(seat, int(action))
    assert play.is_over()
    assert step.rewards[0].tolist() == pytest.approx(play.returns())


def test_draws_are_random_without_a_seed() -> None:
    first, second = [Vector("fire_bulls", 8).reset().observations for _ in range(2)]
    assert (first != second).any()


def test_matches_that_end_are_followed_by_new_ones() -> None:
    environment = Vector("spring_festival", 8, seed=1)
    random = np.random.default_rng(1)
    step = environment.reset()
    assert step.masks is None
    ended = 0
    for _ in range(120):
        step = environment.step(random_actions(step, random))
        ended += int(step.finished.sum())
        assert (step.rewards[~step.finished] == 0).all()
        assert step.rewards.sum(axis=1) == pytest.approx(0)
        assert set(step.legal_matches) == set(range(8))
    assert ended >= 8


def test_an_illegal_action_is_refused() -> None:
    environment = Vector("fire_bulls", 2)
    step = environment.reset()
    with pytest.raises(IllegalMove, match="of match 1"):
        environment.step(np.array([step.legal_actions[0], environment.encoding.action_count - 1]))


@pytest.mark.parametrize("count", [1, 3])
def test_each_match_gets_one_action(count: int) -> None:
    environment = Vector("fire_bulls", 2)
    action = environment.reset().legal_actions[0]
    with pytest.raises(ValueError, match=f"each of 2 matches, not {count}"):
        environment.step(np.array([action] * count))
