"""Range checks of decoded fields; their errors name the field in its JSON spelling."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol, TypeVar

from engine_core.errors import InconsistentState, InvalidOption
from services.grpc_server.errors import InvalidRequest


class CheckedOptions(Protocol):
    """Options that can check themselves, as those of any game."""

    def check(self, seat_count: int) -> None:
        """Raise `InvalidOption` for options that a match of so many seats cannot have."""


O = TypeVar("O", bound=CheckedOptions)  # noqa: E741
P = TypeVar("P")

MAX_COUNTER: Final = 1000
"""Limit of counters in states; those of reachable states are far below it."""


def move_number(number: int, minimum: int, maximum: int, field: str) -> int:
    """A number in a move, checked for its range; `field` is its path from the move on. Raises `InvalidRequest`."""
    if not minimum <= number <= maximum:
        raise InvalidRequest(f"move.{field}", f"{minimum} to {maximum}, not {number}")
    return number


def state_number(number: int, minimum: int, maximum: int, field: str, path: str = "") -> int:
    """A number in a state, checked for its range; `path` is that of its message. Raises `InconsistentState`."""
    if not minimum <= number <= maximum:
        raise InconsistentState(f"state.{path}{field}", f"{minimum} to {maximum}, not {number}")
    return number


def state_counter(number: int, field: str, path: str = "") -> int:
    """A counter in a state, checked for its range. Raises `InconsistentState`."""
    return state_number(number, 0, MAX_COUNTER, field, path)


def pack_counts(counts: list[int], maximum: list[int], width: int) -> int:
    """Counts of cards as one number with `width` bits a count; -1 if one is below 0 or above its maximum."""
    number = 0
    for kind, count in enumerate(counts):
        if not 0 <= count <= maximum[kind]:
            return -1
        number |= count << width * kind
    return number


def decode_state_options(message: P, decode: Callable[[P], O], seat_count: int) -> O:
    """The options in a state of so many seats. Raises `InconsistentState`."""
    try:
        options = decode(message)
        options.check(seat_count)
    except InvalidOption as error:
        raise InconsistentState(f"state.{error.field}", error.description) from None
    return options


def require(fact: bool, field: str, description: str) -> None:
    """Raise `InconsistentState` unless `fact` holds; `field` is its path from the state on."""
    if not fact:
        raise InconsistentState(f"state.{field}", description)
