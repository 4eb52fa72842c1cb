"""Facts about the current call, such as its method and match, which every log line includes."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

VALUE_MOST: Final = 128
"""Longest value in characters; longer ones are cut, since some come from callers."""

_facts: Final[ContextVar[dict[str, str] | None]] = ContextVar("facts_of_the_call", default=None)


def facts() -> dict[str, str]:
    """The facts about the call of this task."""
    return _facts.get() or {}


def begin(**facts: str) -> None:
    """Start a call in this task, and in the tasks that it creates."""
    _facts.set({name: text[:VALUE_MOST] for name, text in facts.items() if text})


def add(**facts: str) -> None:
    """Add facts about the call of this task; empty ones are left out."""
    known = _facts.get()
    if known is None:
        _facts.set(known := {})
    for name, text in facts.items():
        if text:
            known[name] = text[:VALUE_MOST]
