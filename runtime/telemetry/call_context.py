"""Context of the current call for logs: facts, such as its method and match id, that each log line includes."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

MAX_VALUE: Final = 128
"""Longest value in characters; longer ones are cut, since some come from callers."""

_facts: Final[ContextVar[dict[str, str] | None]] = ContextVar("facts_of_the_call", default=None)


def facts() -> dict[str, str]:
    """The facts about the call that this asyncio task handles."""
    return _facts.get() or {}


def begin(**facts: str) -> None:
    """Set the facts of a new call, for this task and the tasks that it creates; empty ones are left out."""
    _facts.set({name: text[:MAX_VALUE] for name, text in facts.items() if text})


def add(**facts: str) -> None:
    """Add facts about the current call; empty ones are left out."""
    known = _facts.get()
    if known is None:
        _facts.set(known := {})
    for name, text in facts.items():
        if text:
            known[name] = text[:MAX_VALUE]
