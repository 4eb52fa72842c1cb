"""Fast path of unary gRPC calls: bytes in, bytes out, without message objects or context, but with metrics."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import perf_counter
from typing import Final

logger = logging.getLogger(__name__)

FastPathBehaviour = Callable[[bytes], bytes | None]
"""The response to the bytes of a request; None where the request has to be parsed."""


class FastPath:
    """The fast path of one method."""

    def __init__(self, behaviour: FastPathBehaviour, count_success: Callable[[float], None]) -> None:
        """`count_success` counts a successful call, given its seconds."""
        self._behaviour: Final = behaviour
        self._count_success: Final = count_success

    def respond(self, request: bytes) -> bytes | None:
        """The response to a request; None if the general path must handle it, also after an error here."""
        began = perf_counter()
        try:
            response = self._behaviour(request)
        except Exception:
            # The general path handles the request too, so an error here costs only time.
            logger.exception("the fast path failed")
            return None
        if response is not None:
            self._count_success(perf_counter() - began)
        return response
