"""What the call is about that is being answered; every line of the log tells it."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Final

WORD_MOST: Final = 128
"""Characters of a fact that are kept: some come from callers."""

_facts: Final[ContextVar[Mapping[str, str]]] = ContextVar("facts_of_the_call", default={})  # noqa: B039 # never written


def facts() -> Mapping[str, str]:
    """What is known about the call of this task."""
    return _facts.get()


def tell(**facts: str) -> None:
    """Add facts for the rest of this task, and the tasks that it begins; empty ones are left out."""
    told = {name: text[:WORD_MOST] for name, text in facts.items() if text}
    _facts.set({**_facts.get(), **told})
