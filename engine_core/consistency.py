"""Checks of a state that a caller gives: every fact that no match could reach is refused with its field."""

from __future__ import annotations

from engine_core.errors import InconsistentState


def require(fact: bool, field: str, description: str) -> None:
    """Raise `InconsistentState` unless it is a fact. `field` is a path as in JSON: `state.seats[1].hand`."""
    if not fact:
        raise InconsistentState(field, description)
