"""What codecs ask of what they read; faults are told by their fields, as JSON spells them."""

from __future__ import annotations

from engine_core.errors import InconsistentState
from services.errors import InvalidRequest


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


def require(fact: bool, field: str, description: str) -> None:
    """Raise `InconsistentState` unless something is so."""
    if not fact:
        raise InconsistentState(f"state.{field}", description)
