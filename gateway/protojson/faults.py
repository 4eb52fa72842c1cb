"""What can be wrong with JSON that is to become a message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Violation:
    """What is wrong with one field, whose path has JSON names, as in `move.step.to`; empty for the whole."""

    field: str
    description: str


class Unfit(Exception):
    """JSON that is no value of its type."""


class MalformedJson(Exception):
    """Text that is not JSON, or has a key twice in one object."""


class InvalidFields(Exception):
    """JSON that does not fit its message."""

    def __init__(self, violations: Sequence[Violation]) -> None:
        super().__init__("; ".join(f"{each.field}: {each.description}" for each in violations))
        self.violations: Final = violations
