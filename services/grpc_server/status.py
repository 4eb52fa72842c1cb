"""Maps exceptions to gRPC statuses: one table of status code, reason and metadata."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from fireside.match.v1.error_reason_pb2 import ErrorReason
from fireside.match.v1.match_pb2 import Problem
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status
from grpc import StatusCode as Code

from engine_core import errors as rules
from runtime.texts import MAX_DETAIL_LENGTH, shortened
from runtime.tracebacks import clear_tracebacks
from services.grpc_server import errors

logger = logging.getLogger(__name__)

DOMAIN: Final = "fireside"
DETAILS_KEY: Final = "grpc-status-details-bin"
"""Metadata key under which gRPC carries the rich status."""
NO_RETRY_METADATA: Final = ("grpc-retry-pushback-ms", "-1")
"""Trailing metadata that prevents automatic retries by gRPC libraries."""
RETRY_SECONDS: Final = 1
"""How long a caller should wait for the store to come back."""


class ErrorMapping(NamedTuple):
    """The status of an exception class; `metadata` maps JSON names to fields of the exception."""

    code: Code
    reason: str
    """The value of the enum `ErrorReason`, without its prefix."""
    metadata: Mapping[str, str] = MappingProxyType({})
    retry: bool = False


INVALID_ARGUMENT: Final = Code.INVALID_ARGUMENT
FAILED_PRECONDITION: Final = Code.FAILED_PRECONDITION
INTERNAL: Final = ErrorMapping(Code.INTERNAL, "INTERNAL")

ERROR_MAPPINGS: Final[dict[type[Exception], ErrorMapping]] = {
    rules.UnknownGame: ErrorMapping(Code.NOT_FOUND, "UNKNOWN_GAME", {"game": "name"}),
    rules.InvalidOption: ErrorMapping(INVALID_ARGUMENT, "INVALID_OPTION"),
    rules.SeatOutOfRange: ErrorMapping(INVALID_ARGUMENT, "SEAT_OUT_OF_RANGE", {"seat": "seat", "seats": "seat_count"}),
    rules.MalformedMove: ErrorMapping(INVALID_ARGUMENT, "MALFORMED_MOVE", {"move": "text"}),
    rules.IllegalMove: ErrorMapping(FAILED_PRECONDITION, "ILLEGAL_MOVE", {"seat": "seat", "move": "notation"}),
    rules.NotYourTurn: ErrorMapping(FAILED_PRECONDITION, "NOT_YOUR_TURN", {"seat": "seat", "toMove": "to_move"}),
    rules.SeatHasLeft: ErrorMapping(FAILED_PRECONDITION, "SEAT_HAS_LEFT", {"seat": "seat"}),
    rules.MatchOver: ErrorMapping(FAILED_PRECONDITION, "MATCH_OVER", {"result": "reason"}),
    rules.StaleRevision: ErrorMapping(
        Code.ABORTED, "STALE_REVISION", {"expectedRevision": "expected", "revision": "current"}
    ),
    rules.EndlessPlay: INTERNAL,
    rules.InconsistentState: ErrorMapping(INVALID_ARGUMENT, "INCONSISTENT_STATE"),
    errors.InvalidRequest: ErrorMapping(INVALID_ARGUMENT, "INVALID_REQUEST"),
    errors.UnknownMatch: ErrorMapping(Code.NOT_FOUND, "UNKNOWN_MATCH", {"matchId": "match_id"}),
    errors.UnknownTournament: ErrorMapping(Code.NOT_FOUND, "UNKNOWN_TOURNAMENT", {"tournamentId": "tournament_id"}),
    errors.UnknownWebhook: ErrorMapping(Code.NOT_FOUND, "UNKNOWN_WEBHOOK", {"webhookId": "webhook_id"}),
    errors.UnknownRules: ErrorMapping(
        Code.UNAVAILABLE, "UNKNOWN_RULES", {"matchId": "match_id", "rulesVersion": "rules_version"}, retry=True
    ),
    errors.MatchNotOver: ErrorMapping(FAILED_PRECONDITION, "MATCH_NOT_OVER"),
    errors.MatchWaiting: ErrorMapping(FAILED_PRECONDITION, "MATCH_WAITING", {"matchId": "match_id"}),
    errors.MatchBegun: ErrorMapping(FAILED_PRECONDITION, "MATCH_BEGUN", {"matchId": "match_id"}),
    errors.InvalidCode: ErrorMapping(Code.PERMISSION_DENIED, "INVALID_CODE"),
    errors.EventsDeleted: ErrorMapping(Code.ABORTED, "EVENTS_DELETED", {"fromEventId": "event_id"}),
    errors.Unauthenticated: ErrorMapping(Code.UNAUTHENTICATED, "UNAUTHENTICATED", {"credential": "credential"}),
    errors.PermissionDenied: ErrorMapping(Code.PERMISSION_DENIED, "PERMISSION_DENIED"),
    errors.StoreUnavailable: ErrorMapping(Code.UNAVAILABLE, "STORE_UNAVAILABLE", retry=True),
    errors.LogContradictsSnapshot: ErrorMapping(Code.DATA_LOSS, "LOG_CONTRADICTS_SNAPSHOT", {"matchId": "match_id"}),
    errors.StoreFull: ErrorMapping(Code.RESOURCE_EXHAUSTED, "STORE_FULL"),
    errors.UnknownMethod: ErrorMapping(Code.UNIMPLEMENTED, "UNKNOWN_ROUTE"),
    errors.EngineStopping: ErrorMapping(Code.UNAVAILABLE, "ENGINE_UNAVAILABLE", retry=True),
    errors.TooManyStreams: ErrorMapping(Code.RESOURCE_EXHAUSTED, "TOO_MANY_STREAMS", {"limit": "limit"}, retry=True),
    errors.Busy: ErrorMapping(Code.RESOURCE_EXHAUSTED, "BUSY", retry=True),
    errors.MessageTimeout: ErrorMapping(Code.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED"),
    errors.RequestIdReused: ErrorMapping(INVALID_ARGUMENT, "REQUEST_ID_REUSED", {"requestId": "request_id"}),
}

FIELD_ERRORS: Final = (errors.InvalidRequest, rules.InvalidOption, rules.InconsistentState)
"""The exceptions that name the invalid field."""


def error_mapping(error: Exception) -> ErrorMapping:
    """The mapping of an exception: that of its own class, or of the nearest base class in the table."""
    for kind in type(error).__mro__:  # subclasses say more in their text, and share the reason
        if kind in ERROR_MAPPINGS:
            return ERROR_MAPPINGS[kind]
    return INTERNAL


def rich_status(error: Exception) -> tuple[Code, Status]:
    """The code and the `google.rpc.Status` of an exception; an unexpected one reveals nothing."""
    mapping = error_mapping(error)
    status = Status(code=_number(mapping.code), message=_message(error, mapping))
    status.details.extend([_packed(detail) for detail in _details(error, mapping)])
    return mapping.code, status


def trailing_metadata(error: Exception, status: Status) -> tuple[tuple[str, str | bytes], ...]:
    """The trailing metadata of a call that ends with an exception."""
    details = (DETAILS_KEY, status.SerializeToString())
    # Another attempt would wait for the same timeout while the client's deadline passes.
    return (details, NO_RETRY_METADATA) if isinstance(error, errors.StoreTimeout) else (details,)


def _message(error: Exception, mapping: ErrorMapping) -> str:
    """The text of an exception, shortened to `MAX_DETAIL_LENGTH` bytes."""
    return "internal error" if mapping is INTERNAL else shortened(str(error), MAX_DETAIL_LENGTH)


def _error_metadata(error: Exception, mapping: ErrorMapping) -> dict[str, str]:
    """The metadata of an exception, each value shortened to `MAX_VALUE` bytes."""
    return {name: shortened(_text(getattr(error, attribute))) for name, attribute in mapping.metadata.items()}


def _number(code: Code) -> int:
    number: int = code.value[0]
    return number


def _packed(detail: Message) -> AnyMessage:
    packed = AnyMessage()
    packed.Pack(detail)
    return packed


def _details(error: Exception, mapping: ErrorMapping) -> Iterable[Message]:
    yield ErrorInfo(
        reason=mapping.reason,
        domain=DOMAIN,
        metadata=_error_metadata(error, mapping),
    )
    if isinstance(error, FIELD_ERRORS) and error.field:
        violation = BadRequest.FieldViolation(
            field=shortened(error.field), description=shortened(error.description, MAX_DETAIL_LENGTH)
        )
        yield BadRequest(field_violations=[violation])
    if mapping.retry:
        yield RetryInfo(retry_delay=Duration(seconds=RETRY_SECONDS))


def _text(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def problem(error: Exception) -> Problem:
    """An error as part of a response, in a call that continues; an unexpected one is logged and reveals nothing."""
    mapping = error_mapping(error)
    if mapping is INTERNAL:
        logger.error("a part of a call failed", exc_info=error)
    clear_tracebacks(error)
    metadata = _error_metadata(error, mapping)
    if isinstance(error, FIELD_ERRORS) and error.field:
        metadata["field"] = shortened(error.field)
    return Problem(
        reason=ErrorReason.Value(f"ERROR_REASON_{mapping.reason}"), detail=_message(error, mapping), metadata=metadata
    )
