"""Environments of PettingZoo: `env` (AEC), in which seats act in turn, and `parallel_env`, in which all act at once."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from engine_core.encodings import Encoding
from engine_core.game import SPECTATOR
from environments.play import Play, encoding_named
from environments.spaces import (
    ILLEGAL_REWARD,
    RENDER_MODES,
    Observation,
    action_space,
    metadata,
    observation_space,
    observed,
)


def env(
    game: str, *, seats: int | None = None, preset: str | None = None, render_mode: str | None = None
) -> AECEnv[str, Observation, int]:
    """The environment of a game, such as `fire_bulls`. An illegal action ends the match with -1 for its seat.

    Raises what `encoding_named` raises, or `ValueError` for another render mode.
    """
    raw = AecEnvironment(encoding_named(game, seats, preset), render_mode)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(raw, ILLEGAL_REWARD)))


def parallel_env(
    game: str, *, seats: int | None = None, preset: str | None = None, render_mode: str | None = None
) -> ParallelEnvironment:
    """The environment of a game in which all seats act at once; those that are not to move have one action, to wait.

    Raises what `encoding_named` raises, or `ValueError` for another render mode.
    """
    return ParallelEnvironment(encoding_named(game, seats, preset), render_mode)


class _Spaces:
    """What both kinds of environments have: agents, spaces and pictures."""

    def __init__(self, encoding: Encoding, render_mode: str | None, more_actions: int = 0) -> None:
        # PettingZoo's `render_test` makes an environment of "human", which shows nothing here.
        if render_mode not in (None, "human", *RENDER_MODES):
            raise ValueError(f"render modes are {', '.join(RENDER_MODES)}, not {render_mode!r}")
        self.render_mode = render_mode
        self.encoding = encoding
        self.possible_agents = [f"seat_{seat}" for seat in range(encoding.seat_count)]
        self.agents = self.possible_agents[:]
        self.action_spaces = {agent: action_space(encoding, more_actions) for agent in self.possible_agents}
        self.observation_spaces = {agent: observation_space(encoding, more_actions) for agent in self.possible_agents}
        self.play = Play(encoding)

    def seat(self, agent: str) -> int:
        """The seat of an agent."""
        return self.possible_agents.index(agent)

    def picture(self) -> npt.NDArray[np.uint8] | str | None:
        """The position as a spectator sees it, in the render mode."""
        if self.render_mode == "rgb_array":
            return self.play.pixels(SPECTATOR)
        return self.play.svg(SPECTATOR) if self.render_mode == "svg" else None


class AecEnvironment(AECEnv[str, Observation, int]):
    """Seats act one after another. Those that choose at the same time do so in ascending order, without seeing more.

    Rewards are 0 until the match is over, then the returns. The game's own turn order decides who is next.
    """

    def __init__(self, encoding: Encoding, render_mode: str | None) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._shared = _Spaces(encoding, render_mode)
        self.metadata = {**metadata(encoding), "is_parallelizable": False}
        self.render_mode = render_mode
        self.possible_agents = self._shared.possible_agents
        self.agents = self.possible_agents[:]
        self.action_spaces = self._shared.action_spaces
        self.observation_spaces = self._shared.observation_spaces
        self.play = self._shared.play

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new match."""
        self.play.restart(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.play.to_move()[0]]

    def observe(self, agent: str) -> Observation:
        """What the seat of an agent knows, with the mask of its legal actions."""
        return observed(self.play, self._shared.seat(agent))

    def step(self, action: int | None) -> None:
        """Make an action of the agent whose turn it is; None for one whose match is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)  # type: ignore[arg-type] # takes None, and nothing else
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        self.play.play(self._shared.seat(agent), int(action))
        to_move = self.play.to_move()
        returns = self.play.returns()
        self.rewards = dict(zip(self.possible_agents, returns, strict=True))
        self.terminations = dict.fromkeys(self.agents, not to_move)
        self._accumulate_rewards()
        self.agent_selection = self.possible_agents[to_move[0]] if to_move else self.agents[0]

    def render(self) -> Any:
        """The position as a spectator sees it: an array of pixels, or an SVG document."""
        return self._shared.picture()

    def close(self) -> None:
        """Nothing is to be closed."""


class ParallelEnvironment(ParallelEnv[str, Observation, int]):
    """All seats act at once; the last action of the space is to wait, the only one of seats that are not to move.

    An illegal action ends the match with -1 for its seat and 0 for the others.
    """

    def __init__(self, encoding: Encoding, render_mode: str | None) -> None:
        self._shared = _Spaces(encoding, render_mode, more_actions=1)
        self.metadata = metadata(encoding)
        self.render_mode = render_mode
        self.possible_agents = self._shared.possible_agents
        self.agents = self.possible_agents[:]
        self.action_spaces = self._shared.action_spaces
        self.observation_spaces = self._shared.observation_spaces
        self.play = self._shared.play
        self.waiting: Final = encoding.action_count
        """The action of seats that are not to move."""

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a new match; the observations of all seats."""
        self.play.restart(seed)
        self.agents = self.possible_agents[:]
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Make the actions of all seats that are to move."""
        agents = self.agents
        rewards = dict.fromkeys(agents, 0.0)
        wrong = [agent for agent in agents if not self._is_legal(agent, int(actions[agent]))]
        if wrong:
            rewards |= dict.fromkeys(wrong, ILLEGAL_REWARD)
        else:
            for seat in self.play.to_move():
                self.play.play(seat, int(actions[self.possible_agents[seat]]))
            rewards = dict(zip(agents, self.play.returns(), strict=True))
        is_over = bool(wrong) or self.play.is_over()
        observations = self._observations()
        self.agents = [] if is_over else agents
        return (
            observations,
            rewards,
            dict.fromkeys(agents, is_over),
            dict.fromkeys(agents, False),
            {agent: {} for agent in agents},
        )

    def render(self) -> Any:
        """The position as a spectator sees it: an array of pixels, or an SVG document."""
        return self._shared.picture()

    def close(self) -> None:
        """Nothing is to be closed."""

    def _is_legal(self, agent: str, action: int) -> bool:
        seat = self._shared.seat(agent)
        legal = self.play.legal_actions(seat) if seat in self.play.to_move() else [self.waiting]
        return action in legal

    def _observations(self) -> dict[str, Observation]:
        found: dict[str, Observation] = {}
        for seat, agent in enumerate(self.possible_agents):
            mask = np.append(self.play.mask(seat), np.int8(seat not in self.play.to_move()))
            found[agent] = {"observation": self.play.observation(seat), "action_mask": mask}
        return found
