"""An error as a part of an answer: why one of many moves was refused, while the call goes on."""

from __future__ import annotations

import logging

from fireside.match.v1.match_pb2 import Problem

from runtime.texts import shortened
from runtime.tracebacks import forget
from services.grpc_server.errors import INTERNAL, VIOLATIONS, error_mapping, facts, message

log = logging.getLogger(__name__)


def problem(error: Exception) -> Problem:
    """What is told of an error; an unforeseen one is logged, and gives away nothing."""
    mapping = error_mapping(error)
    if mapping is INTERNAL:
        log.error("a part of a call failed", exc_info=error)
    forget(error)
    metadata = facts(error, mapping)
    if isinstance(error, VIOLATIONS) and error.field:
        metadata["field"] = shortened(error.field)
    return Problem(reason=mapping.reason, detail=message(error, mapping), metadata=metadata)
