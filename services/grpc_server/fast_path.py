"""Calls that are answered at once: without a message, a task or a context, but counted and timed like all others."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import perf_counter
from typing import Final

log = logging.getLogger(__name__)

FastPathBehaviour = Callable[[bytes], bytes | None]
"""What a call does that nobody waits for: the response to a request as it came; None where it has to be read."""


class FastPath:
    """A method of a service, as far as it can be answered at once."""

    def __init__(self, behaviour: FastPathBehaviour, ended: Callable[[float], None]) -> None:
        """`ended` counts a call that ended well, given its seconds."""
        self._behaviour: Final = behaviour
        self._ended: Final = ended

    def answer(self, request: bytes) -> bytes | None:
        """The response to a request; None, after a fault as well, where it has to be read."""
        began = perf_counter()
        try:
            response = self._behaviour(request)
        except Exception:
            log.exception("a quick answer failed")
            return None
        if response is not None:
            self._ended(perf_counter() - began)
        return response
