"""Vector environment: many matches in one process, one call for a step of all, with NumPy arrays."""

from __future__ import annotations

from itertools import chain
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine_core.encodings.batch import Batch
from environments.play import Numbers, encoding_named

MAX_MASKED_ACTIONS: Final = 10_000
"""Masks are made by default where a game has no more actions."""


class Step(NamedTuple):
    """What a step gives, for each match."""

    observations: Numbers
    """What the seat to move knows: matches by `observation_size`. The next step overwrites the array."""
    seats: npt.NDArray[np.int8]
    """The seat to move."""
    legal_matches: npt.NDArray[np.int64]
    """The match of each legal action of all matches, from 0, ascending."""
    legal_actions: npt.NDArray[np.int64]
    """The legal actions, in the same order."""
    masks: Numbers | None
    """The same as masks, matches by `action_count`; None without masks. The next step overwrites the array."""
    rewards: npt.NDArray[np.float32]
    """Returns by seat of matches that ended in this step, zeros for the others: matches by seats."""
    finished: npt.NDArray[np.bool_]
    """Whether the match ended in this step. Its observation is the first of a new match."""


class Vector:
    """Matches of one game that are played at once; where one ends, another begins."""

    def __init__(
        self,
        game: str,
        matches: int,
        *,
        seats: int | None = None,
        preset: str | None = None,
        seed: int | None = None,
        masks: bool | None = None,
    ) -> None:
        """`seed`: of nature's draws, which are random without one.

        `masks`: whether steps have masks; by default for games of at most `MAX_MASKED_ACTIONS` actions.

        Raises what `encoding_named` raises.
        """
        self.encoding: Final = encoding_named(game, seats, preset)
        self.matches: Final = matches
        self._batch: Final = Batch(self.encoding, matches, seed)
        numbers = np.frombuffer(self._batch.observations, np.int8)
        self._observations: Final = numbers.reshape(matches, self.encoding.observation_size)
        with_masks = self.encoding.action_count <= MAX_MASKED_ACTIONS if masks is None else masks
        self._masks: Final = np.zeros((matches, self.encoding.action_count), np.int8) if with_masks else None
        self._last: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]] | None = None

    def reset(self) -> Step:
        """The first observations. The matches have begun already; call it once."""
        return self._result()

    def step(self, actions: npt.NDArray[np.integer]) -> Step:
        """Make an action in each match. Raises what `Batch.step` raises; then the matches cannot be played on."""
        self._batch.step(actions.tolist())
        return self._result()

    def _result(self) -> Step:
        batch, encoding = self._batch, self.encoding
        counts = np.fromiter(map(len, batch.legal), np.int64, self.matches)
        legal_matches = np.repeat(np.arange(self.matches), counts)
        legal_actions = np.fromiter(chain.from_iterable(batch.legal), np.int64, len(legal_matches))
        if self._masks is not None:
            if self._last is not None:
                self._masks[self._last] = 0
            self._masks[legal_matches, legal_actions] = 1
            self._last = legal_matches, legal_actions
        rewards = np.zeros((self.matches, encoding.seat_count), np.float32)
        finished = np.zeros(self.matches, np.bool_)
        if batch.finished:
            finished[batch.finished] = True
            rewards[batch.finished] = batch.returns
        seats = np.array(batch.seats, np.int8)
        batch.observe()
        return Step(self._observations, seats, legal_matches, legal_actions, self._masks, rewards, finished)
