"""The environments pass the tests of the libraries that they are for, with every preset and every number of seats."""

from __future__ import annotations

import warnings
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test.api_test import api_test
from pettingzoo.test.parallel_test import parallel_api_test
from pettingzoo.test.render_test import render_test
from pettingzoo.test.seed_test import parallel_seed_test, seed_test

from engine_core.chance import Luck
from engine_core.errors import InvalidOption, UnknownGame
from engine_core.game import NATURE
from engine_core.games import GAMES
from engine_core.match import AnyMatch, Match
from environments import gymnasium, openspiel, pettingzoo
from tests.conformance.game_setups import GAME_SETUPS, GameSetup, first_setup

SETUPS = pytest.mark.parametrize("setup", GAME_SETUPS, ids=str)
ONE_SETUP_A_GAME = pytest.mark.parametrize("setup", [first_setup(game) for game in GAMES.values()], ids=str)
CYCLES = 15


def configuration(setup: GameSetup) -> dict[str, Any]:
    return {"game": setup.game.name, "seats": setup.seat_count, "preset": setup.preset}


@pytest.fixture(autouse=True)
def ignored_advice() -> Any:
    """The tests of the libraries warn of what they leave open, as an observation that is no picture."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@SETUPS
def test_pettingzoo_accepts_the_environment(setup: GameSetup) -> None:
    api_test(pettingzoo.env(**configuration(setup)), num_cycles=CYCLES)
    seed_test(lambda: pettingzoo.env(**configuration(setup)), num_cycles=CYCLES)


@SETUPS
def test_pettingzoo_accepts_the_parallel_environment(setup: GameSetup) -> None:
    parallel_api_test(pettingzoo.parallel_env(**configuration(setup)), num_cycles=CYCLES)
    parallel_seed_test(lambda: pettingzoo.parallel_env(**configuration(setup)), num_cycles=2)


@SETUPS
def test_pettingzoo_accepts_the_pictures(setup: GameSetup) -> None:
    def environment(render_mode: str = "") -> Any:
        return pettingzoo.env(**configuration(setup), render_mode=render_mode)

    render_test(environment, custom_tests={"svg": lambda picture: picture.startswith("<svg")})


@SETUPS
def test_gymnasium_accepts_the_environment(setup: GameSetup) -> None:
    check_env(gymnasium.make(**configuration(setup)), skip_render_check=True)


@SETUPS
def test_openspiel_accepts_the_game(setup: GameSetup) -> None:
    names = openspiel.register()
    assert names == openspiel.register()
    game = pyspiel.load_game(f"fireside_{setup.game.name}", {"seats": setup.seat_count, "preset": setup.preset})
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@ONE_SETUP_A_GAME
def test_a_match_played_by_masks_ends_with_returns_that_add_up_to_zero(setup: GameSetup) -> None:
    environment = pettingzoo.env(**configuration(setup))
    environment.reset(seed=5)
    random = np.random.default_rng(5)
    total = dict.fromkeys(environment.possible_agents, 0.0)
    for agent in environment.agent_iter():
        observation, reward, termination, _, _ = environment.last()
        total[agent] += reward
        assert observation is not None
        legal = np.flatnonzero(observation["action_mask"])
        environment.step(None if termination else int(random.choice(legal)))  # type: ignore[arg-type] # takes None
    assert sum(total.values()) == pytest.approx(0)
    assert max(total.values()) > 0


@ONE_SETUP_A_GAME
def test_an_illegal_action_ends_the_match_for_its_seat(setup: GameSetup) -> None:
    environment = gymnasium.make(**configuration(setup))
    observation, _ = environment.reset(seed=1)
    illegal = int(np.flatnonzero(observation["action_mask"] == 0)[0])
    assert environment.step(illegal)[1:4] == (-1.0, True, False)


def test_equal_seeds_give_equal_matches_against_bots() -> None:
    found = []
    for _ in range(2):
        environment = gymnasium.make("fire_bulls", seats=3, opponents=["random", "greedy:samples=1"])
        observation, _ = environment.reset(seed=7)
        for _ in range(4):
            legal = np.flatnonzero(observation["action_mask"])
            observation, *_ = environment.step(int(legal[-1]))
        found.append(observation["observation"].tolist())
    assert found[0] == found[1]


def test_matches_without_a_seed_differ() -> None:
    hands = {gymnasium.make("fire_bulls").reset()[0]["observation"].tobytes() for _ in range(8)}
    assert len(hands) > 1
    hands = {pettingzoo.parallel_env("fire_bulls").reset()[0]["seat_0"]["observation"].tobytes() for _ in range(8)}
    assert len(hands) > 1


@ONE_SETUP_A_GAME
def test_openspiel_has_the_information_states_of_the_encoding(setup: GameSetup) -> None:
    openspiel.register()
    game = pyspiel.load_game(f"fireside_{setup.game.name}(seats={setup.seat_count})")
    state, random = game.new_initial_state(), Random(3)
    match: AnyMatch = Match(setup.game, setup.start(), Luck(bytes(32), []))
    log = match.begin()
    for _ in range(30):
        seat = match.to_move()[0]
        log += match.play(seat, random.choice(match.legal_moves(seat)))
    for entry in log:
        outcomes = setup.game.legal_moves(state.state, NATURE)
        state.apply_action(outcomes.index(entry.move) if outcomes else state.encoding.action(entry.move))
    for seat in range(setup.seat_count):
        assert state.information_state_string(seat) == state.encoding.information_state(log, seat)


@pytest.mark.parametrize("player", [-1, 2])
def test_openspiel_refuses_a_player_without_a_seat(player: int) -> None:
    openspiel.register()
    game = pyspiel.load_game("fireside_fire_bulls")
    state = game.new_initial_state()
    assert state.is_chance_node()
    observer = game.make_py_observer()
    for observe in (state.information_state_string, lambda number: observer.string_from(state, number)):
        with pytest.raises(RuntimeError, match="player >= 0 and player < 2"):
            observe(player)
    with pytest.raises(RuntimeError, match="player >= 0 and player < 2"):
        observer.set_from(state, player)
    with pytest.raises(RuntimeError, match="player >= 0 and player < 2"):
        state.information_state_string()  # chance is to move


def test_one_bot_may_be_named_alone() -> None:
    environment = gymnasium.make("fire_bulls", seats=3, opponents="greedy:samples=1")
    observation, _ = environment.reset(seed=1)
    assert observation["action_mask"].any()


def test_a_wrong_configuration_is_refused() -> None:
    with pytest.raises(UnknownGame):
        pettingzoo.env("chess")
    with pytest.raises(InvalidOption):
        pettingzoo.env("fire_bulls", seats=6)
    with pytest.raises(ValueError, match="presets merged, fr, it"):
        pettingzoo.env("fire_bulls", preset="de")
    with pytest.raises(ValueError, match="one bot for all"):
        gymnasium.make("fire_bulls", seats=4, opponents=["random", "random"])
    with pytest.raises(ValueError, match="render modes"):
        pettingzoo.env("fire_bulls", render_mode="ansi")
