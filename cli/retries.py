"""Retry policy of the REST client: pauses, deadline, and which errors are retried."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import httpx

from cli.translation import gettext
from runtime.connection_faults import connection_fault

RETRYABLE_STATUSES: Final = frozenset({429, 502, 503, 504})
FIRST_PAUSE_SECONDS: Final = 0.25
LONGEST_PAUSE_SECONDS: Final = 5.0
"""The pause between two attempts doubles from `FIRST_PAUSE_SECONDS` up to this."""


class RetryPolicy:
    """Retries calls with exponential backoff for some seconds, and reports an outage and its end."""

    def __init__(self, seconds: float, report: Callable[[str], None] = lambda text: None) -> None:
        self._seconds: Final = seconds
        self._report: Final = report

    def call(self, call: Callable[[], httpx.Response], is_idempotent: bool) -> httpx.Response:
        """Make a call with retries; returns the last response. Raises `ConnectionError` if there was none.

        A call that is not `is_idempotent` is retried only if connecting failed, so that it cannot have been processed.
        """
        deadline = time.monotonic() + self._seconds
        pause = FIRST_PAUSE_SECONDS
        while True:
            is_late = time.monotonic() + pause > deadline
            response = self._attempt(call, is_late, is_idempotent)
            if response is not None and (
                is_late or not is_idempotent or response.status_code not in RETRYABLE_STATUSES
            ):
                if pause > FIRST_PAUSE_SECONDS and response.status_code not in RETRYABLE_STATUSES:
                    self._report(gettext("The service answers again."))
                return response
            if pause == FIRST_PAUSE_SECONDS:
                self._report(gettext("The service does not answer; trying again ..."))
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)

    def _attempt(self, call: Callable[[], httpx.Response], is_last: bool, is_idempotent: bool) -> httpx.Response | None:
        try:
            return call()
        except httpx.TransportError as error:
            if is_last or not (is_idempotent or isinstance(error, httpx.ConnectError)):
                fault = gettext(connection_fault(error))
                raise ConnectionError(gettext("the service does not answer: {fault}", fault=fault)) from None
            return None
