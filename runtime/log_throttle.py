"""Throttles the log lines of a lasting fault: its start, a reminder now and then, and its end."""

from __future__ import annotations

from time import monotonic
from typing import Final

REMIND_SECONDS: Final = 30.0
"""Time between two log lines about the same fault."""


class LogThrottle:
    """Whether a fault that may repeat with each call is to be logged."""

    def __init__(self) -> None:
        self.fault = ""
        """A word for what is wrong; empty while nothing is."""
        self._remind_at = 0.0

    def should_log(self, fault: str) -> bool:
        """Record a fault. Whether it is to be logged: the same one is logged again after `REMIND_SECONDS` only."""
        if fault == self.fault and monotonic() < self._remind_at:
            return False
        self.fault = fault
        self._remind_at = monotonic() + REMIND_SECONDS
        return True

    def clear(self) -> bool:
        """Record that nothing is wrong. Whether something was, until now."""
        was, self.fault = self.fault, ""
        return was != ""
