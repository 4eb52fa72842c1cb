"""Environment of Gymnasium: one seat of a game, with bots in the others."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

import gymnasium

from engine_core.bots import bot_named
from engine_core.bots.bot import Bot
from engine_core.bots.observation import Observation as BotObservation
from engine_core.encodings import Encoding
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


def make(
    game: str,
    *,
    seats: int | None = None,
    preset: str | None = None,
    seat: int = 0,
    opponents: Sequence[str] = ("random",),
    render_mode: str | None = None,
) -> SeatEnvironment:
    """The environment of a seat of a game, such as `fire_bulls`.

    `opponents` are the bots of the other seats, clockwise, by name (`greedy`, `mcts:iterations=50`); one is for all.
    `seat` is the one that the caller plays, from 0. Raises what `encoding_named` raises, `UnknownBot`, or `ValueError`
    for another seat, render mode or number of bots.
    """
    encoding = encoding_named(game, seats, preset)
    if not 0 <= seat < encoding.seat_count:
        raise ValueError(f"seat is 0 to {encoding.seat_count - 1}, not {seat}")
    others = encoding.seat_count - 1
    opponents = [opponents] if isinstance(opponents, str) else opponents
    names = [*opponents] * others if len(opponents) == 1 else [*opponents]
    if len(names) != others:
        raise ValueError(f"one bot for all, or one for each of {others} seats, not {len(names)}")
    return SeatEnvironment(encoding, seat, [bot_named(name) for name in names], render_mode)


class SeatEnvironment(gymnasium.Env[Observation, int]):
    """The caller plays one seat. The reward is 0 until the match is over, then the seat's return, from -1 to 1.

    An illegal action ends the match with -1.
    """

    def __init__(self, encoding: Encoding, seat: int, bots: Sequence[Bot], render_mode: str | None) -> None:
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render modes are {', '.join(RENDER_MODES)}, not {render_mode!r}")
        self.metadata = metadata(encoding)
        self.render_mode = render_mode
        self.action_space = action_space(encoding)
        self.observation_space = observation_space(encoding)
        self.play: Final = Play(encoding)
        self._seat: Final = seat
        self._bots: Final = {(seat + 1 + number) % encoding.seat_count: bot for number, bot in enumerate(bots)}
        self._random = Random()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a new match; the first observation in which the seat is to move."""
        super().reset(seed=seed)
        # Two seeds: with one, a bot's first choices would follow from nature's first draws, which its opponent sees.
        bots_seed, draws_seed = self.np_random.integers(1 << 63, size=2).tolist()
        self._random = Random(bots_seed)
        self.play.restart(draws_seed)
        self._let_bots_play()
        return observed(self.play, self._seat), {}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make an action, and the bots' moves until the seat is to move again or the match is over."""
        if int(action) not in self.play.legal_actions(self._seat):
            return observed(self.play, self._seat), ILLEGAL_REWARD, True, False, {"illegal": True}
        self.play.play(self._seat, int(action))
        self._let_bots_play()
        reward = self.play.returns()[self._seat]
        return observed(self.play, self._seat), reward, self.play.is_over(), False, {}

    def render(self) -> Any:
        """The position as the seat sees it: an array of pixels, or an SVG document."""
        if self.render_mode == "rgb_array":
            return self.play.pixels(self._seat)
        return self.play.svg(self._seat) if self.render_mode == "svg" else None

    def _let_bots_play(self) -> None:
        """Let bots move until only the caller's seat is to move, or the match is over."""
        while others := [seat for seat in self.play.to_move() if seat != self._seat]:
            seat = others[0]
            observation = BotObservation(self.play.game, self.play.state, seat)
            self.play.make(seat, self._bots[seat].choose(observation, self._random))
