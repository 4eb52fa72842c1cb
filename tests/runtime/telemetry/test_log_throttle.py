"""Log throttle: a lasting fault is logged at intervals, not at each occurrence."""

from __future__ import annotations

import pytest

from runtime.telemetry import log_throttle
from runtime.telemetry.log_throttle import REMIND_SECONDS, LogThrottle


def test_an_outage_is_logged_when_it_begins_changes_or_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(log_throttle, "monotonic", lambda: now)
    outage = LogThrottle()
    assert [outage.should_log(fault) for fault in ("away", "away", "full", "full")] == [True, False, True, False]
    now += REMIND_SECONDS
    assert [outage.should_log("full") for _ in range(2)] == [True, False]


def test_the_end_of_an_outage_is_logged_once_and_the_next_outage_is_logged() -> None:
    outage = LogThrottle()
    assert not outage.clear()
    assert outage.should_log("away")
    assert [outage.clear(), outage.clear()] == [True, False]
    assert outage.should_log("away")
