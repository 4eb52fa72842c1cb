"""`Observation`: what a bot may know of a position (legal moves, view, determinized states), not the true state."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final, Generic, TypeVar

from engine_core.encodings import Encoding
from engine_core.errors import NotYourTurn
from engine_core.game import Game, Move, Options, State, Turn, View

S = TypeVar("S", bound=State)
M = TypeVar("M", bound=Move)
O = TypeVar("O", bound=Options)  # noqa: E741
V = TypeVar("V", bound=View)


class Observation(Generic[S, M, O, V]):
    """A position as one seat knows it: its moves, its view, and full states that look the same to it."""

    def __init__(self, game: Game[S, M, O, V], state: S, seat: int, check: Callable[[], None] | None = None) -> None:
        """`check` is called before each determinization; by raising it can stop a bot whose caller has gone."""
        self.game: Final = game
        self.seat: Final = seat
        self._state: Final = state
        self._check: Final = check

    def legal_moves(self) -> list[M]:
        """The seat's legal moves, as a new list. Raises `NotYourTurn` if there are none."""
        moves = self.game.legal_moves(self._state, self.seat)
        if not moves:
            phase = self.game.phase(self._state)
            raise NotYourTurn(self.seat, phase.seats if isinstance(phase, Turn) else ())
        return moves

    def view(self) -> V:
        """The seat's view of the position."""
        return self.game.view(self._state, self.seat)

    def encode(self, encoding: Encoding) -> bytes:
        """What the seat sees as numbers: `Encoding.encode`."""
        return encoding.encode(self._state, self.seat)

    def determinize(self, random: Random) -> S:
        """A random full state that looks the same to the seat. The caller may change it."""
        if self._check is not None:
            self._check()
        return self.game.determinize(self._state, self.seat, random)
