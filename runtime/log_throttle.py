"""Throttles the log lines of a lasting fault: its start, a reminder now and then, and its end."""

from __future__ import annotations

from time import monotonic
from typing import Final

REMIND_SECONDS: Final = 30.0
"""Time between two log lines about the same fault."""


class Outage:
    """Whether something fails, as far as the log knows."""

    def __init__(self) -> None:
        self.fault = ""
        """A word for what is wrong; empty while nothing is."""
        self._again = 0.0

    def is_news(self, fault: str) -> bool:
        """Note a fault; whether it is to be told."""
        if fault == self.fault and monotonic() < self._again:
            return False
        self.fault = fault
        self._again = monotonic() + REMIND_SECONDS
        return True

    def end(self) -> bool:
        """Note that nothing is wrong; whether it was, until now."""
        was, self.fault = self.fault, ""
        return was != ""
