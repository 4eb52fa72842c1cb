"""Log throttle: reports a lasting fault when it begins, every 30 seconds, and when it ends."""

from __future__ import annotations

from time import monotonic
from typing import Final

REMIND_SECONDS: Final = 30.0
"""Time between two log lines about the same fault."""


class LogThrottle:
    """Decides which occurrences of a fault, which may repeat with each call, are logged."""

    def __init__(self) -> None:
        self.fault = ""
        """Identifies the current fault; empty if there is none."""
        self._remind_at = 0.0

    def should_log(self, fault: str) -> bool:
        """Record a fault; True if it must be logged. The same fault is logged again only after `REMIND_SECONDS`."""
        if fault == self.fault and monotonic() < self._remind_at:
            return False
        self.fault = fault
        self._remind_at = monotonic() + REMIND_SECONDS
        return True

    def clear(self) -> bool:
        """Record that there is no fault; True if there was one."""
        was, self.fault = self.fault, ""
        return was != ""
