"""Many matches of one game in step: one choice in each at a time, and a new match where one has ended."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from engine_core.encodings import Encoding
from engine_core.errors import IllegalMove
from engine_core.explore import draw
from engine_core.game import Chance, Game, Move, Over, State, Turn


class Batch:
    """Matches that are played at once. Nature's draws follow from the seed; without one they are random.

    `seats` are the seats to move, one for each match: of several that are to move, the first.
    """

    def __init__(self, encoding: Encoding, count: int, seed: int | None) -> None:
        self.encoding: Final = encoding
        self.game: Final[Game[Any, Any, Any, Any]] = encoding.game
        self._getrandbits: Final = Random(seed).getrandbits
        self.states: Final[list[State]] = [encoding.start() for _ in range(count)]
        self.seats: Final[list[int]] = [0] * count
        self._moves: Final[list[list[Move]]] = [[] for _ in range(count)]
        self.legal: Final[list[list[int]]] = [[] for _ in range(count)]
        """The legal actions of the seat to move of each match, in the order of its legal moves."""
        self.finished: Final[list[int]] = []
        """Numbers of the matches that ended in the last step, from 0, ascending."""
        self.returns: Final[list[list[float]]] = []
        """The outcome by seat of each match in `finished`."""
        self.observations: Final = memoryview(bytearray(count * encoding.observation_size))
        """What the seats to move saw at the last `observe`, one match after another, each number a signed byte.

        Reused: allocating it for each step takes longer than writing the numbers of Fireship. A memory view, since a
        `bytearray` copies bytes twice more when a slice is set.
        """
        for number in range(count):
            self._continue(number)

    def step(self, actions: list[int]) -> None:
        """Make an action in each match. Raises `ValueError` for another number of actions.

        Raises `IllegalMove` for the first that is not legal; matches before it have moved on, so discard the batch.
        """
        if len(actions) != len(self.states):
            raise ValueError(f"an action for each of {len(self.states)} matches, not {len(actions)}")
        self.finished.clear()
        self.returns.clear()
        for number, action in enumerate(actions):
            seat = self.seats[number]
            try:
                move = self._moves[number][self.legal[number].index(action)]
            except ValueError:
                raise IllegalMove(seat, f"action {action} of match {number}") from None
            self.game.apply(self.states[number], seat, move)
            self._continue(number)

    def observe(self) -> None:
        """Write the observation of each match's seat to move into `observations`."""
        size = self.encoding.observation_size
        for number, state in enumerate(self.states):
            start = number * size
            self.observations[start : start + size] = self.encoding.encode(state, self.seats[number])

    def _continue(self, number: int) -> None:
        """Let nature draw until a seat is to move; begin a new match if this one is over."""
        game = self.game
        state = self.states[number]
        phase = game.phase(state)
        while not isinstance(phase, Turn):
            if isinstance(phase, Chance):
                draw(game, state, self._getrandbits)
            elif isinstance(phase, Over):
                self.finished.append(number)
                self.returns.append(self.encoding.returns(state))
                state = self.states[number] = self.encoding.start()
            phase = game.phase(state)
        seat = phase.seats[0]
        moves = game.legal_moves(state, seat)
        self.seats[number] = seat
        self._moves[number] = moves
        actions = self.encoding.actions
        self.legal[number] = [actions.action(move) for move in moves]
