"""What codecs ask of what they read; faults are told by their fields, as JSON spells them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol, TypeVar

from engine_core.errors import InconsistentState, InvalidOption
from services.grpc_server.errors import InvalidRequest


class Checked(Protocol):
    """Options of a game."""

    def check(self, seats: int) -> None:
        """Raise `InvalidOption` for what a match of so many seats cannot have."""


O = TypeVar("O", bound=Checked)  # noqa: E741
P = TypeVar("P")

COUNTER_MOST: Final = 1000
"""No counter of a position comes near it."""


def chosen(number: int, least: int, most: int, field: str) -> int:
    """A number of a move. Raises `InvalidRequest`."""
    if not least <= number <= most:
        raise InvalidRequest(f"move.{field}", f"{least} to {most}, not {number}")
    return number


def within(number: int, least: int, most: int, field: str, of: str = "") -> int:
    """A number of a state; `of` is the path of the message that has the field. Raises `InconsistentState`."""
    if not least <= number <= most:
        raise InconsistentState(f"state.{of}{field}", f"{least} to {most}, not {number}")
    return number


def counter(number: int, field: str, of: str = "") -> int:
    """A counter of a state. Raises `InconsistentState`."""
    return within(number, 0, COUNTER_MOST, field, of)


def packed(counts: list[int], most: list[int], width: int) -> int:
    """Counts of cards as one number of so many bits a count; -1 where one is below 0, or above its most."""
    number = 0
    for kind, count in enumerate(counts):
        if not 0 <= count <= most[kind]:
            return -1
        number |= count << width * kind
    return number


def decoded_options(message: P, decode: Callable[[P], O], seats: int) -> O:
    """The options that a state tells, for its number of seats. Raises `InconsistentState`."""
    try:
        options = decode(message)
        options.check(seats)
    except InvalidOption as error:
        raise InconsistentState(f"state.{error.field}", error.description) from None
    return options


def require(fact: bool, field: str, description: str) -> None:
    """Raise `InconsistentState` unless something is so."""
    if not fact:
        raise InconsistentState(f"state.{field}", description)
