"""Errors of parsing JSON into a message: malformed JSON, and violations by field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

MAX_VIOLATIONS: Final = 100
"""How many violations are reported at most: a small body must not cause a large response or much work."""


@dataclass(frozen=True)
class Violation:
    """One field's violation. The path has JSON names, as in `move.step.to`; it is empty for the whole body."""

    field: str
    description: str


class Mismatch(Exception):
    """A JSON value that does not fit the type of its field."""


class MalformedJson(Exception):
    """Text that is not JSON, or repeats a key in one object."""


class InvalidFields(Exception):
    """JSON that does not fit its message."""

    def __init__(self, violations: Sequence[Violation]) -> None:
        super().__init__("; ".join(f"{each.field or 'body'}: {each.description}" for each in violations))
        self.violations: Final = violations
