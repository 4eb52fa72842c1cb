"""What can go wrong beside the rules, and how every error is told: one table from exception to status and reason."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

import grpc
from fireside.match.v1.error_reason_pb2 import ErrorReason
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from engine_core import errors as rules
from runtime.texts import DETAIL_MOST, shortened

log = logging.getLogger(__name__)

DOMAIN: Final = "fireside"
SEAT_TOKEN: Final = "seatToken"
API_KEY: Final = "apiKey"
DETAILS_KEY: Final = "grpc-status-details-bin"
"""Metadata key under which gRPC carries the rich status."""
NO_RETRY: Final = ("grpc-retry-pushback-ms", "-1")
"""Metadata of an answer by which libraries of gRPC do not repeat a call of their own accord."""
RETRY_SECONDS: Final = 1
"""How long a caller should wait for the store to come back."""


class ServiceError(Exception):
    """Something that the service refuses or cannot do, beside what the rules refuse."""


class InvalidRequest(ServiceError):
    """A request that cannot be read, or a field that is missing, unknown or out of range."""

    def __init__(self, field: str, description: str) -> None:
        super().__init__(f"{field}: {description}" if field else description)
        self.field = field
        self.description = description


class UnknownMatch(ServiceError):
    """No match has that id: there never was one, or it has expired."""

    def __init__(self, match_id: str) -> None:
        super().__init__(f"there is no match {match_id[:64]!r}")
        self.match_id = match_id[:64]


class UnknownTournament(ServiceError):
    """No tournament has that id."""

    def __init__(self, tournament_id: str) -> None:
        super().__init__(f"there is no tournament {tournament_id[:64]!r}")
        self.tournament_id = tournament_id[:64]


class UnknownRules(ServiceError):
    """The match is played by a version of the rules that this engine does not have; another engine may."""

    def __init__(self, match_id: str, rules_version: str) -> None:
        super().__init__(f"this engine cannot play by {rules_version}")
        self.match_id = match_id
        self.rules_version = rules_version


class Unauthenticated(ServiceError):
    """The call needs a credential, by default a seat token, and has none that is good."""

    def __init__(self, description: str, credential: str = SEAT_TOKEN) -> None:
        super().__init__(description)
        self.credential = credential


class PermissionDenied(ServiceError):
    """The seat token is good, but not for this."""


class MatchNotOver(ServiceError):
    """What was asked for is told after the end of the match only."""

    def __init__(self, match_id: str) -> None:
        super().__init__("the match is not over yet")
        self.match_id = match_id


class StoreUnavailable(ServiceError):
    """The store does not answer; whether it has changed anything is unknown."""

    def __init__(self) -> None:
        super().__init__("the store does not answer")


class StoreSilent(StoreUnavailable):
    """Likewise, after a time: whoever asks at once again waits again."""


class LinesLost(rules.StaleRevision):
    """The store has lost lines of a match that it had acknowledged, and others are in their places."""

    def __init__(self, told: int, current: int) -> None:
        super().__init__(told, current)
        self.args = (f"the store has lost what was told up to revision {told}; the match is at {current} without it",)


class LogContradictsSnapshot(ServiceError):
    """The log of a match is not the one that its hash chains were made over: the store has lost or changed lines."""

    def __init__(self, match_id: str) -> None:
        super().__init__("the log of the match is damaged, and is not sent")
        self.match_id = match_id


class StoreFull(ServiceError):
    """The store has no room; it has changed nothing."""

    def __init__(self) -> None:
        super().__init__("the store has no room for more")


class UnknownMethod(ServiceError):
    """A method that the server does not have: it may serve other games."""

    def __init__(self, method: str) -> None:
        super().__init__(f"there is no method {method} here")


class EngineLeaving(ServiceError):
    """The engine stops: what a stream has not told yet, another engine does."""

    def __init__(self) -> None:
        super().__init__("the engine stops; another one goes on")


class TooManyStreams(ServiceError):
    """The engine has as many streams as it takes."""

    def __init__(self, limit: int) -> None:
        super().__init__("the engine has as many streams as it takes")
        self.limit = limit


class Busy(ServiceError):
    """As many bytes of requests are in flight as the server takes."""

    def __init__(self) -> None:
        super().__init__("the service is busy: too many bytes of requests are in flight; try again soon")


class MessageLate(ServiceError):
    """The message of a call did not come in time."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"the call had no message within {seconds:g} seconds")


class RequestIdReused(ServiceError):
    """The same request id came with another body."""

    def __init__(self, request_id: str) -> None:
        super().__init__(f"request id {request_id!r} was given to another request")
        self.request_id = request_id


class ErrorMapping(NamedTuple):
    """How a class of exceptions is told; `metadata` names fields of the exception by their JSON names."""

    code: grpc.StatusCode
    reason: ErrorReason.ValueType
    metadata: Mapping[str, str] = MappingProxyType({})
    retry: bool = False


INVALID: Final = grpc.StatusCode.INVALID_ARGUMENT
REFUSED: Final = grpc.StatusCode.FAILED_PRECONDITION
INTERNAL: Final = ErrorMapping(grpc.StatusCode.INTERNAL, ErrorReason.ERROR_REASON_INTERNAL)

ERROR_MAPPINGS: Final[dict[type[Exception], ErrorMapping]] = {
    rules.UnknownGame: ErrorMapping(grpc.StatusCode.NOT_FOUND, ErrorReason.ERROR_REASON_UNKNOWN_GAME, {"game": "name"}),
    rules.InvalidOption: ErrorMapping(INVALID, ErrorReason.ERROR_REASON_INVALID_OPTION),
    rules.SeatOutOfRange: ErrorMapping(
        INVALID, ErrorReason.ERROR_REASON_SEAT_OUT_OF_RANGE, {"seat": "seat", "seats": "seats"}
    ),
    rules.MalformedMove: ErrorMapping(INVALID, ErrorReason.ERROR_REASON_MALFORMED_MOVE, {"move": "text"}),
    rules.IllegalMove: ErrorMapping(
        REFUSED, ErrorReason.ERROR_REASON_ILLEGAL_MOVE, {"seat": "seat", "move": "notation"}
    ),
    rules.NotYourTurn: ErrorMapping(
        REFUSED, ErrorReason.ERROR_REASON_NOT_YOUR_TURN, {"seat": "seat", "toMove": "to_move"}
    ),
    rules.SeatHasLeft: ErrorMapping(REFUSED, ErrorReason.ERROR_REASON_SEAT_HAS_LEFT, {"seat": "seat"}),
    rules.MatchOver: ErrorMapping(REFUSED, ErrorReason.ERROR_REASON_MATCH_OVER, {"result": "reason"}),
    rules.StaleRevision: ErrorMapping(
        grpc.StatusCode.ABORTED,
        ErrorReason.ERROR_REASON_STALE_REVISION,
        {"expectedRevision": "expected", "revision": "current"},
    ),
    rules.EndlessPlay: INTERNAL,
    rules.InconsistentState: ErrorMapping(INVALID, ErrorReason.ERROR_REASON_INCONSISTENT_STATE),
    InvalidRequest: ErrorMapping(INVALID, ErrorReason.ERROR_REASON_INVALID_REQUEST),
    UnknownMatch: ErrorMapping(
        grpc.StatusCode.NOT_FOUND, ErrorReason.ERROR_REASON_UNKNOWN_MATCH, {"matchId": "match_id"}
    ),
    UnknownTournament: ErrorMapping(
        grpc.StatusCode.NOT_FOUND, ErrorReason.ERROR_REASON_UNKNOWN_TOURNAMENT, {"tournamentId": "tournament_id"}
    ),
    UnknownRules: ErrorMapping(
        grpc.StatusCode.UNAVAILABLE,
        ErrorReason.ERROR_REASON_UNKNOWN_RULES,
        {"matchId": "match_id", "rulesVersion": "rules_version"},
        retry=True,
    ),
    MatchNotOver: ErrorMapping(REFUSED, ErrorReason.ERROR_REASON_MATCH_NOT_OVER),
    Unauthenticated: ErrorMapping(
        grpc.StatusCode.UNAUTHENTICATED, ErrorReason.ERROR_REASON_UNAUTHENTICATED, {"credential": "credential"}
    ),
    PermissionDenied: ErrorMapping(grpc.StatusCode.PERMISSION_DENIED, ErrorReason.ERROR_REASON_PERMISSION_DENIED),
    StoreUnavailable: ErrorMapping(grpc.StatusCode.UNAVAILABLE, ErrorReason.ERROR_REASON_STORE_UNAVAILABLE, retry=True),
    LogContradictsSnapshot: ErrorMapping(
        grpc.StatusCode.DATA_LOSS, ErrorReason.ERROR_REASON_LOG_CONTRADICTS_SNAPSHOT, {"matchId": "match_id"}
    ),
    StoreFull: ErrorMapping(grpc.StatusCode.RESOURCE_EXHAUSTED, ErrorReason.ERROR_REASON_STORE_FULL),
    UnknownMethod: ErrorMapping(grpc.StatusCode.UNIMPLEMENTED, ErrorReason.ERROR_REASON_UNKNOWN_ROUTE),
    EngineLeaving: ErrorMapping(grpc.StatusCode.UNAVAILABLE, ErrorReason.ERROR_REASON_ENGINE_UNAVAILABLE, retry=True),
    TooManyStreams: ErrorMapping(
        grpc.StatusCode.RESOURCE_EXHAUSTED, ErrorReason.ERROR_REASON_TOO_MANY_STREAMS, {"limit": "limit"}, retry=True
    ),
    Busy: ErrorMapping(grpc.StatusCode.RESOURCE_EXHAUSTED, ErrorReason.ERROR_REASON_BUSY, retry=True),
    MessageLate: ErrorMapping(grpc.StatusCode.DEADLINE_EXCEEDED, ErrorReason.ERROR_REASON_DEADLINE_EXCEEDED),
    RequestIdReused: ErrorMapping(INVALID, ErrorReason.ERROR_REASON_REQUEST_ID_REUSED, {"requestId": "request_id"}),
}

VIOLATIONS: Final = (InvalidRequest, rules.InvalidOption, rules.InconsistentState)
"""The exceptions that name the field that is wrong."""


def error_mapping(error: Exception) -> ErrorMapping:
    """How an exception is told: by its own class, or the nearest above it in the table."""
    for kind in type(error).__mro__:
        if kind in ERROR_MAPPINGS:
            return ERROR_MAPPINGS[kind]
    return INTERNAL


def rich_status(error: Exception) -> tuple[grpc.StatusCode, Status]:
    """The status code and the `google.rpc.Status` of an exception; an unforeseen one gives away nothing."""
    mapping = error_mapping(error)
    status = Status(code=_number(mapping.code), message=message(error, mapping))
    status.details.extend([_packed(detail) for detail in _details(error, mapping)])
    return mapping.code, status


def trailing(error: Exception, status: Status) -> tuple[tuple[str, str | bytes], ...]:
    """The metadata behind a call that ends so."""
    details = (DETAILS_KEY, status.SerializeToString())
    return (details, NO_RETRY) if isinstance(error, StoreSilent) else (details,)


def message(error: Exception, mapping: ErrorMapping) -> str:
    """What an exception says to people, in at most `DETAIL_MOST` bytes."""
    return "internal error" if mapping is INTERNAL else shortened(str(error), DETAIL_MOST)


def facts(error: Exception, mapping: ErrorMapping) -> dict[str, str]:
    """The metadata of an exception, each value in at most `VALUE_MOST` bytes."""
    return {name: shortened(_text(getattr(error, attribute))) for name, attribute in mapping.metadata.items()}


def _number(code: grpc.StatusCode) -> int:
    number: int = code.value[0]
    return number


def _packed(detail: Message) -> AnyMessage:
    packed = AnyMessage()
    packed.Pack(detail)
    return packed


def _details(error: Exception, mapping: ErrorMapping) -> Iterable[Message]:
    yield ErrorInfo(
        reason=ErrorReason.Name(mapping.reason).removeprefix("ERROR_REASON_"),
        domain=DOMAIN,
        metadata=facts(error, mapping),
    )
    if isinstance(error, VIOLATIONS) and error.field:
        violation = BadRequest.FieldViolation(
            field=shortened(error.field), description=shortened(error.description, DETAIL_MOST)
        )
        yield BadRequest(field_violations=[violation])
    if mapping.retry:
        yield RetryInfo(retry_delay=Duration(seconds=RETRY_SECONDS))


def _text(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
