"""Helper of the consistency checks, which refuse a client's state that no match could reach, naming the field."""

from __future__ import annotations

from engine_core.errors import InconsistentState


def require(fact: bool, field: str, description: str) -> None:
    """Raise `InconsistentState` unless `fact` is true. `field` is a path as in JSON: `state.seats[1].hand`."""
    if not fact:
        raise InconsistentState(field, description)
