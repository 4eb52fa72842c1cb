"""What the call is about that is being answered; every line of the log tells it."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

WORD_MOST: Final = 128
"""Characters of a fact that are kept: some come from callers."""

_facts: Final[ContextVar[dict[str, str] | None]] = ContextVar("facts_of_the_call", default=None)


def facts() -> dict[str, str]:
    """What is known about the call of this task."""
    return _facts.get() or {}


def begin(**facts: str) -> None:
    """A call is being answered by this task, and by the tasks that it begins."""
    _facts.set({name: text[:WORD_MOST] for name, text in facts.items() if text})


def tell(**facts: str) -> None:
    """Add facts about the call of this task; empty ones are left out."""
    known = _facts.get()
    if known is None:
        _facts.set(known := {})
    for name, text in facts.items():
        if text:
            known[name] = text[:WORD_MOST]
