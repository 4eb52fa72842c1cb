"""What a bot may use of a position: what its seat may know, and no more."""

from __future__ import annotations

from random import Random
from typing import Final, Generic, TypeVar

from engine_core.game import Game, Move, Options, State, View

S = TypeVar("S", bound=State)
M = TypeVar("M", bound=Move)
O = TypeVar("O", bound=Options)  # noqa: E741
V = TypeVar("V", bound=View)


class Observation(Generic[S, M, O, V]):
    """A position as one seat sees it."""

    def __init__(self, game: Game[S, M, O, V], state: S, seat: int) -> None:
        self.game: Final = game
        self.seat: Final = seat
        self._state: Final = state

    def legal_moves(self) -> list[M]:
        """The moves of the seat."""
        return self.game.legal_moves(self._state, self.seat)

    def view(self) -> V:
        """What the seat sees."""
        return self.game.view(self._state, self.seat)

    def determinize(self, random: Random) -> S:
        """A full state, drawn at random among those that look the same to the seat."""
        return self.game.determinize(self._state, self.seat, random)
