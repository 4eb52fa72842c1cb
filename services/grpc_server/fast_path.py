"""Calls that are answered at once: without a message, a task or a context, but counted and timed like all others."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import perf_counter
from typing import Final

from runtime.telemetry.measures import Number, Times

log = logging.getLogger(__name__)

FastPathBehaviour = Callable[[bytes], bytes | None]
"""What a call does that nobody waits for: the response to a request as it came; None where it has to be read."""


class FastPath:
    """A method of a service, as far as it can be answered at once."""

    def __init__(self, behaviour: FastPathBehaviour, answered: Number, seconds: Times) -> None:
        """`answered` and `seconds` are those of its calls that end well."""
        self._behaviour: Final = behaviour
        self._answered: Final = answered
        self._seconds: Final = seconds

    def answer(self, request: bytes) -> bytes | None:
        """The response to a request; None, after a fault as well, where it has to be read."""
        began = perf_counter()
        try:
            response = self._behaviour(request)
        except Exception:
            log.exception("a quick answer failed")
            return None
        if response is not None:
            self._answered.inc()
            self._seconds.observe(perf_counter() - began)
        return response
