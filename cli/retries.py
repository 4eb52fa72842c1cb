"""Calls that are made again while a service does not answer."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import httpx

AGAIN: Final = frozenset({429, 502, 503, 504})
"""HTTP statuses of a service that may do better a little later."""
FIRST_SECONDS: Final = 0.25
MOST_SECONDS: Final = 5.0
"""The pause between two attempts, which doubles from the first of these to the second."""


REASONS: Final = (
    (httpx.ConnectError, "nobody listens there"),
    (httpx.TimeoutException, "it takes too long"),
    (httpx.UnsupportedProtocol, "its address must begin with http:// or https://"),
    (httpx.ProtocolError, "what answers there does not speak HTTP"),
)


def _reason(error: httpx.TransportError) -> str:
    return next((reason for kind, reason in REASONS if isinstance(error, kind)), "the connection broke")


class Patience:
    """How long to go on calling, and whom to tell that it does not work, or works again."""

    def __init__(self, seconds: float, tell: Callable[[str], None] = lambda text: None) -> None:
        self._seconds: Final = seconds
        self._tell: Final = tell

    def answer(self, call: Callable[[], httpx.Response], repeatable: bool) -> httpx.Response:
        """The answer to a call, the last one if none is good. Raises `ConnectionError` when there is none.

        A call that is not repeatable is made again only when it cannot have arrived.
        """
        deadline = time.monotonic() + self._seconds
        pause = FIRST_SECONDS
        while True:
            is_late = time.monotonic() + pause > deadline
            answer = self._attempt(call, is_late, repeatable)
            if answer is not None and (is_late or not repeatable or answer.status_code not in AGAIN):
                if pause > FIRST_SECONDS and answer.status_code not in AGAIN:
                    self._tell("The service answers again.")
                return answer
            if pause == FIRST_SECONDS:
                self._tell("The service does not answer; trying again ...")
            time.sleep(pause)
            pause = min(2 * pause, MOST_SECONDS)

    def _attempt(self, call: Callable[[], httpx.Response], is_last: bool, repeatable: bool) -> httpx.Response | None:
        try:
            return call()
        except httpx.TransportError as error:
            if is_last or not (repeatable or isinstance(error, httpx.ConnectError)):
                raise ConnectionError(f"the service does not answer: {_reason(error)}") from None
            return None
