"""Mapping of gRPC errors to HTTP problems.

The HTTP status follows from the gRPC status by the table `PROBLEMS_BY_STATUS`, with one exception: a request that is
too large is a 413, whether the gateway or the engine refuses it. FAILED_PRECONDITION (illegal now, not your turn, match
over) and ABORTED (the match has moved on) are a 409.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

import grpc
from google.protobuf.message import DecodeError
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from gateway import problems
from gateway.problems import Problem, ProblemType
from gateway.protojson import Violation

DETAILS_KEY: Final = "grpc-status-details-bin"
PUSHBACK_KEY: Final = "grpc-retry-pushback-ms"
UNKNOWN_RULES: Final = "UNKNOWN_RULES"

PROBLEMS_BY_STATUS: Final[Mapping[grpc.StatusCode, ProblemType]] = {
    grpc.StatusCode.CANCELLED: ProblemType(499, "INTERNAL", "The client disconnected."),
    grpc.StatusCode.UNKNOWN: problems.internal,
    grpc.StatusCode.INVALID_ARGUMENT: ProblemType(400, "INVALID_REQUEST", "The request cannot be read."),
    grpc.StatusCode.DEADLINE_EXCEEDED: problems.engine_timeout,
    grpc.StatusCode.NOT_FOUND: ProblemType(404, "UNKNOWN_MATCH", "There is no such match."),
    grpc.StatusCode.ALREADY_EXISTS: ProblemType(409, "INVALID_REQUEST", "It exists already."),
    grpc.StatusCode.PERMISSION_DENIED: ProblemType(403, "PERMISSION_DENIED", "The token does not allow this."),
    grpc.StatusCode.RESOURCE_EXHAUSTED: ProblemType(429, "ENGINE_UNAVAILABLE", "The engine is overloaded."),
    grpc.StatusCode.FAILED_PRECONDITION: ProblemType(409, "INVALID_REQUEST", "It cannot be done now."),
    grpc.StatusCode.ABORTED: ProblemType(409, "STALE_REVISION", "The match has moved on."),
    grpc.StatusCode.OUT_OF_RANGE: ProblemType(400, "INVALID_REQUEST", "A value is out of range."),
    grpc.StatusCode.UNIMPLEMENTED: ProblemType(501, "UNKNOWN_ROUTE", "The engine does not offer this."),
    grpc.StatusCode.INTERNAL: problems.internal,
    grpc.StatusCode.UNAVAILABLE: problems.engine_unavailable,
    grpc.StatusCode.DATA_LOSS: problems.internal,
    grpc.StatusCode.UNAUTHENTICATED: ProblemType(401, "UNAUTHENTICATED", "A seat token is needed."),
}
"""The problem of each status that comes without details of its own."""

_TOO_LARGE: Final = re.compile(r"larger than max \(\d+ vs\. (\d+)\)")
"""Text of gRPC for a message above the limit of the server, which the engine's code never sees."""


@dataclass
class _ErrorDetails:
    """The details of a rich status that the gateway reads."""

    info: ErrorInfo = field(default_factory=ErrorInfo)
    bad_request: BadRequest = field(default_factory=BadRequest)
    retry: RetryInfo | None = None


def problem(error: grpc.aio.AioRpcError) -> Problem:
    """The problem of a failed call: the engine's reason and text if it gave a reason, else those of the status."""
    too_large = _TOO_LARGE.search(error.details() or "")
    if error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED and too_large:
        return problems.message_too_large(limit=too_large[1])
    usual = PROBLEMS_BY_STATUS[error.code()]
    details = _details(error)
    reason = details.info.reason
    is_public = reason and usual is not problems.internal  # texts of internal errors are never passed on
    return Problem(
        status=413 if reason == "TOO_LARGE" else usual.status,
        reason=reason or usual.reason,
        detail=(error.details() or "") if is_public else usual.detail,
        metadata=dict(details.info.metadata),
        violations=list(_violations(details.bad_request)),
        headers=_retry_after(usual.status, details.retry),
    )


def lacks_rules(error: grpc.aio.AioRpcError) -> bool:
    """Whether the engine refused only because it does not have the rules version of the match."""
    return error.code() is grpc.StatusCode.UNAVAILABLE and _details(error).info.reason == UNKNOWN_RULES


def has_pushback(error: grpc.aio.AioRpcError) -> bool:
    """Whether the engine tells clients not to retry at once, here or at another engine (`PUSHBACK_KEY`)."""
    return any(key == PUSHBACK_KEY for key, _ in error.trailing_metadata() or ())


def _details(error: grpc.aio.AioRpcError) -> _ErrorDetails:
    details = _ErrorDetails()
    for packed in _status(error).details:
        retry = RetryInfo()
        if packed.Unpack(retry):
            details.retry = retry
        else:
            packed.Unpack(details.info)
            packed.Unpack(details.bad_request)
    return details


def _status(error: grpc.aio.AioRpcError) -> Status:
    """The rich status of an error; an empty one if there is none, or it cannot be decoded."""
    for key, value in error.trailing_metadata() or ():
        if key == DETAILS_KEY and isinstance(value, bytes):
            try:
                return Status.FromString(value)
            except DecodeError:
                break
    return Status()


def _violations(bad_request: BadRequest) -> Iterable[Violation]:
    for each in bad_request.field_violations:
        yield Violation(json_path(each.field), each.description)


def json_path(path: str) -> str:
    """A field path with JSON names: `move.attack.first_seat` is `move.attack.firstSeat`."""
    return re.sub("_([a-z0-9])", lambda match: match[1].upper(), path)


def _retry_after(status: int, retry: RetryInfo | None) -> dict[str, str]:
    if retry is not None:
        return problems.retry_after(retry.retry_delay.seconds + retry.retry_delay.nanos / 1e9)
    return problems.retry_after(problems.RETRY_SECONDS) if status in (429, 503) else {}
