"""`Bot` and `Evaluator`: the protocols (interfaces) of bots that choose a move, and of those that value every move."""

from __future__ import annotations

from collections.abc import Callable, Generator
from random import Random
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from engine_core.bots.observation import Observation
from engine_core.game import Move

AnyObservation = Observation[Any, Any, Any, Any]
"""An observation of any game."""

PolicyValue: TypeAlias = Callable[[AnyObservation, list[Move]], tuple[list[float], list[float]]]
"""A policy and value function, by which `MctsBot` can search: from an observation of the seat to move and its legal
moves to a prior for each move and a value for each seat of the match.

Priors are at least 0 and need not have the sum 1. A value is what `EvaluatedMove.value` is: the expected share of the
opponents that the seat beats, 0 to 1; with two seats the probability to win, where a tie counts half. The observation
is of a sampled state: what is hidden from the seat that searches is dealt at random in it, so that the function sees
no secret of the match, but also what another mover would see there. It must not change its arguments, and must be
deterministic if the bot's choices are to be.
"""

T = TypeVar("T")
Steps: TypeAlias = Generator[None, None, T]
"""A computation in steps of at most about a millisecond, each a `next`, so that it can yield to others in between."""


def run(steps: Steps[T]) -> T:
    """Run a computation to its end."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result


class EvaluatedMove(NamedTuple):
    """A legal move with its value for the seat."""

    move: Move
    value: float
    """Expected share of the opponents that the seat beats after the move, 0 to 1; a tie counts half."""
    visits: int
    """Number of positions that the value is the mean of; 0 for a move that a search by a policy did not try."""
    is_best: bool
    """Whether the bot would make this move; true for one move."""


class Bot(Protocol):
    """A player of any game. A bot is stateless between choices, so one object may play any number of seats.

    Any class with this method is a bot. It need not inherit: interpreted classes cannot inherit from compiled ones.
    """

    def choose(self, observation: AnyObservation, random: Random) -> Move:
        """A legal move of the seat, which must be to move.

        Deterministic for equal observations and generators, unless the bot has a time limit.
        """
        ...


class Evaluator(Bot, Protocol):
    """A bot that can value every move of its seat."""

    def evaluate(self, observation: AnyObservation, random: Random) -> Steps[list[EvaluatedMove]]:
        """Every legal move with its value, in the order of the legal moves; the best is what `choose` would choose.

        Raises `NotYourTurn`. Deterministic for equal observations and generators, as `choose` is.
        """
        ...
