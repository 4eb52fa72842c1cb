"""What is sent to the process of an imported bot, and what it answers, pickled over a pipe."""

from __future__ import annotations

from dataclasses import dataclass

from engine_core.game import State


@dataclass(frozen=True)
class ImportedBotTask:
    """A state in which the bot must choose a move; it looks to the seat like the true one, which is not sent."""

    rules_version: str
    state: State
    seat: int
    seed: int
    seconds: float
    """Time limit, from which the process sets its limit of processor time."""


@dataclass(frozen=True)
class ImportedBotAnswer:
    """The notation of a move, or why there is none."""

    notation: str = ""
    error: str = ""
