"""Errors as RFC 9457 `application/problem+json`, whether an engine, the gateway or the router found them.

The HTTP status follows from the gRPC status by the table `STATUSES` alone, with one exception: a request that is too
large is 413 whoever finds it. What is refused for the state of the match (FAILED_PRECONDITION: illegal now, not your
turn, match over) and for a revision that has passed (ABORTED) is a 409 both ways.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import grpc
from fireside.match.v1.error_reason_pb2 import DESCRIPTOR as REASONS_FILE
from google.protobuf.message import DecodeError
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status
from starlette.responses import Response

from gateway.openapi.proto_comments import comment
from gateway.openapi.schema import Schema
from gateway.protojson import VIOLATIONS_MOST, Violation
from runtime.texts import DETAIL_MOST, shortened

MEDIA_TYPE: Final = "application/problem+json"
DETAILS_KEY: Final = "grpc-status-details-bin"
PUSHBACK_KEY: Final = "grpc-retry-pushback-ms"
SEAT_TOKEN: Final = "seatToken"
API_KEY: Final = "apiKey"
"""The credentials, as metadata and the OpenAPI document call them."""
NOT_STORED: Final = {"Cache-Control": "no-store"}
"""Of answers that no cache may store: errors, which may differ for another caller, and what may hold tokens."""
LACKS_RULES: Final = "UNKNOWN_RULES"
RETRY_SECONDS: Final = 1
"""How long to wait for an engine that does not say."""

_REASON_ENUM: Final = REASONS_FILE.enum_types_by_name["ErrorReason"]
_PREFIX: Final = "ERROR_REASON_"


@dataclass(frozen=True)
class Meaning:
    """What a gRPC status is in HTTP, and what is said of one that comes without details of its own."""

    status: int
    reason: str
    detail: str


STATUSES: Final[Mapping[grpc.StatusCode, Meaning]] = {
    grpc.StatusCode.CANCELLED: Meaning(499, "INTERNAL", "The caller went away."),
    grpc.StatusCode.UNKNOWN: Meaning(500, "INTERNAL", "The service failed; its logs say why."),
    grpc.StatusCode.INVALID_ARGUMENT: Meaning(400, "INVALID_REQUEST", "The request cannot be read."),
    grpc.StatusCode.DEADLINE_EXCEEDED: Meaning(504, "DEADLINE_EXCEEDED", "The engine did not answer in time."),
    grpc.StatusCode.NOT_FOUND: Meaning(404, "UNKNOWN_MATCH", "There is no such match."),
    grpc.StatusCode.ALREADY_EXISTS: Meaning(409, "INVALID_REQUEST", "It exists already."),
    grpc.StatusCode.PERMISSION_DENIED: Meaning(403, "PERMISSION_DENIED", "The token is not good for this."),
    grpc.StatusCode.RESOURCE_EXHAUSTED: Meaning(429, "ENGINE_UNAVAILABLE", "The engine has too much to do."),
    grpc.StatusCode.FAILED_PRECONDITION: Meaning(409, "INVALID_REQUEST", "It cannot be done now."),
    grpc.StatusCode.ABORTED: Meaning(409, "STALE_REVISION", "The match has gone on."),
    grpc.StatusCode.OUT_OF_RANGE: Meaning(400, "INVALID_REQUEST", "A value is out of range."),
    grpc.StatusCode.UNIMPLEMENTED: Meaning(501, "UNKNOWN_ROUTE", "The engine does not offer this."),
    grpc.StatusCode.INTERNAL: Meaning(500, "INTERNAL", "The service failed; its logs say why."),
    grpc.StatusCode.UNAVAILABLE: Meaning(503, "ENGINE_UNAVAILABLE", "The engine of the game does not answer."),
    grpc.StatusCode.DATA_LOSS: Meaning(500, "INTERNAL", "The service failed; its logs say why."),
    grpc.StatusCode.UNAUTHENTICATED: Meaning(401, "UNAUTHENTICATED", "A seat token is needed."),
}

_TOO_LONG: Final = re.compile(r"larger than max \(\d+ vs\. (\d+)\)")
"""What gRPC itself says of a message above the limit of the server, which never sees it."""

_OWN_FAULTS: Final = frozenset({grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL, grpc.StatusCode.DATA_LOSS})
"""Whose text is never passed on."""


@dataclass(eq=False)
class Problem(Exception):
    """An error on its way to the client. `headers` are those that its status calls for."""

    status: int
    reason: str
    detail: str
    metadata: Mapping[str, str] = field(default_factory=dict)
    violations: Sequence[Violation] = ()
    headers: Mapping[str, str] = field(default_factory=dict)


def response(problem: Problem, instance: str) -> Response:
    """The one writer of errors; `instance` is the path that was asked for."""
    body = json.dumps(content(problem, instance), ensure_ascii=False).encode(errors="replace")
    return Response(body, problem.status, {**NOT_STORED, **_challenge(problem), **problem.headers}, MEDIA_TYPE)


def content(problem: Problem, instance: str) -> Schema:
    """The members of the body: of everything that it repeats of a request only so much as `runtime.texts` lets pass."""
    return {
        "type": f"/errors/{problem.reason}",
        "title": problem.reason.replace("_", " ").capitalize(),
        "status": problem.status,
        "detail": shortened(problem.detail, DETAIL_MOST),
        "instance": shortened(instance),
        "reason": problem.reason,
        "metadata": {name: shortened(value) for name, value in problem.metadata.items()},
        "violations": [
            {"field": shortened(each.field), "description": shortened(each.description, DETAIL_MOST)}
            for each in problem.violations[:VIOLATIONS_MOST]
        ],
    }


def _challenge(problem: Problem) -> dict[str, str]:
    if problem.status != 401:
        return {}
    scheme = "ApiKey" if problem.metadata.get("credential") == API_KEY else "Bearer"
    return {"WWW-Authenticate": f'{scheme} realm="fireside"'}


def explanation(reason: str) -> str | None:
    """What the protos say of a reason, which is where `type` leads; None for one that is never sent."""
    value = _REASON_ENUM.values_by_name.get(_PREFIX + reason)
    return comment(f"{_REASON_ENUM.full_name}.{value.name}") if value is not None and value.number else None


def reasons() -> list[str]:
    """Every reason that can be sent."""
    return [value.name.removeprefix(_PREFIX) for value in _REASON_ENUM.values if value.number]


@dataclass
class _Details:
    info: ErrorInfo = field(default_factory=ErrorInfo)
    bad_request: BadRequest = field(default_factory=BadRequest)
    retry: RetryInfo | None = None


def from_rpc(error: grpc.aio.AioRpcError) -> Problem:
    """What the failure of a call is to the client: the engine's own words, or the table's where it gave no reason."""
    too_long = _TOO_LONG.search(error.details() or "")
    if error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED and too_long:
        return Problem(413, "TOO_LARGE", "The message is larger than an engine takes.", {"limit": too_long[1]})
    meaning = STATUSES[error.code()]
    details = _details(error)
    ours = error.code() in _OWN_FAULTS
    return Problem(
        status=413 if details.info.reason == "TOO_LARGE" else meaning.status,
        reason=details.info.reason or meaning.reason,
        detail=(error.details() or "") if details.info.reason and not ours else meaning.detail,
        metadata=dict(details.info.metadata),
        violations=list(_violations(details.bad_request)),
        headers=_retry_after(meaning.status, details.retry),
    )


def lacks_rules(error: grpc.aio.AioRpcError) -> bool:
    """Whether the engine has only refused because it has not the version of the rules."""
    return error.code() is grpc.StatusCode.UNAVAILABLE and _details(error).info.reason == LACKS_RULES


def holds_back(error: grpc.aio.AioRpcError) -> bool:
    """Whether the engine asks that the call be not repeated at once, there or elsewhere."""
    return any(key == PUSHBACK_KEY for key, _ in error.trailing_metadata() or ())


def _details(error: grpc.aio.AioRpcError) -> _Details:
    details = _Details()
    for packed in _status(error).details:
        retry = RetryInfo()
        if packed.Unpack(retry):
            details.retry = retry
        else:
            packed.Unpack(details.info)
            packed.Unpack(details.bad_request)
    return details


def _status(error: grpc.aio.AioRpcError) -> Status:
    """The rich status of an error; an empty one where there is none that can be read."""
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
        seconds = retry.retry_delay.seconds + retry.retry_delay.nanos / 1e9
        return {"Retry-After": str(max(1, math.ceil(seconds)))}
    return {"Retry-After": str(RETRY_SECONDS)} if status in (429, 503) else {}


def invalid_request(violations: Sequence[Violation]) -> Problem:
    """Something that was given does not fit."""
    return Problem(400, "INVALID_REQUEST", "The request cannot be read: see the violations.", violations=violations)


def malformed_json(description: str) -> Problem:
    """The body is not JSON."""
    return Problem(400, "INVALID_REQUEST", f"The body is not JSON: {description}.")


def against_http(status: int, detail: str) -> Problem:
    """A request against the rules of HTTP. The connection is closed, since its body is not read."""
    return Problem(status, "INVALID_REQUEST", detail, headers={"Connection": "close"})


def broken_body() -> Problem:
    """The body ended, or broke HTTP's rules, before it was whole."""
    detail = "The body broke off, or is against the rules of HTTP."
    return Problem(400, "INVALID_REQUEST", detail, headers={"Connection": "close"})


def unsupported_media_type(given: str) -> Problem:
    """The body says of itself that it is no JSON."""
    return Problem(415, "INVALID_REQUEST", f"The body must be application/json, not {shortened(given)}.")


def unsupported_charset(given: str) -> Problem:
    """The body says of itself that it is no UTF-8."""
    return Problem(415, "INVALID_REQUEST", f"The body must be in UTF-8, not {shortened(given)}.")


def unsupported_encoding(given: str) -> Problem:
    """The body says of itself that it is compressed."""
    detail = f"The body must come as it is, not encoded as {shortened(given)}."
    return Problem(415, "INVALID_REQUEST", detail, headers={"Accept-Encoding": "identity"})


def preflight_refused() -> Problem:
    """A page may not send what its browser announces."""
    detail = "Pages of that origin may not send such a request here: see FIRESIDE_CORS_ORIGINS, and the routes."
    return Problem(400, "INVALID_REQUEST", detail)


def too_large(limit: int) -> Problem:
    """The body is larger than the gateway takes. The connection is closed, since the rest of it is not read."""
    detail = f"The body is larger than {limit} bytes."
    return Problem(413, "TOO_LARGE", detail, {"limit": str(limit)}, headers={"Connection": "close"})


def too_slow(seconds: float) -> Problem:
    """The body did not come in time. The connection is closed, since the rest of it is not read."""
    detail = f"The body did not come within {seconds:g} seconds."
    return Problem(408, "DEADLINE_EXCEEDED", detail, headers={"Connection": "close"})


def busy() -> Problem:
    """As many bytes of bodies are in flight as the gateway takes. The connection is closed, as the rest is not read."""
    detail = "The service is busy: too many bytes of requests are in flight. Try again soon."
    return Problem(429, "BUSY", detail, headers={**_retry_after(429, None), "Connection": "close"})


def rate_limited(limit: str, seconds: float) -> Problem:
    """The caller has called too often."""
    detail = f"More than {limit}: wait until there is room again."
    return Problem(429, "RATE_LIMITED", detail, {"limit": limit}, headers={"Retry-After": str(math.ceil(seconds))})


def api_key_unreadable() -> Problem:
    """The header of the API key holds no key."""
    return Problem(401, "UNAUTHENTICATED", "The header X-Api-Key holds no key.", {"credential": API_KEY})


def unauthenticated(detail: str) -> Problem:
    """The authorization cannot be read."""
    return Problem(401, "UNAUTHENTICATED", detail, {"credential": SEAT_TOKEN})


def unknown_game(game: str) -> Problem:
    """A route of a game that the gateway does not offer."""
    return Problem(404, "UNKNOWN_GAME", f"There is no game {game!r} here.", {"game": game})


def no_tournaments() -> Problem:
    """A route of tournaments, where there are none."""
    return Problem(404, "UNKNOWN_ROUTE", "There are no tournaments here.")


def unknown_route(path: str) -> Problem:
    """A path that leads nowhere."""
    return Problem(404, "UNKNOWN_ROUTE", f"There is no route {path}.")


def method_not_allowed(method: str, allowed: Iterable[str]) -> Problem:
    """A route that does not take the method."""
    allow = listed(allowed)
    return Problem(405, "UNKNOWN_ROUTE", f"The route takes {allow}, not {shortened(method)}.", headers={"Allow": allow})


def listed(methods: Iterable[str]) -> str:
    """Methods as the header `Allow` has them."""
    return ", ".join(sorted(methods))


def internal() -> Problem:
    """A fault of the gateway, which its logs explain."""
    meaning = STATUSES[grpc.StatusCode.INTERNAL]
    return Problem(meaning.status, meaning.reason, meaning.detail)


def too_late() -> Problem:
    """An engine that did not answer in time."""
    meaning = STATUSES[grpc.StatusCode.DEADLINE_EXCEEDED]
    return Problem(meaning.status, meaning.reason, meaning.detail)


def engine_unavailable(games: Iterable[str]) -> Problem:
    """Engines that do not serve."""
    meaning = STATUSES[grpc.StatusCode.UNAVAILABLE]
    metadata = {"games": ", ".join(games)}
    return Problem(meaning.status, meaning.reason, meaning.detail, metadata, headers=_retry_after(503, None))


def redis_never_reached() -> Problem:
    """A process has never reached the Redis in which it counts calls, or has matches."""
    detail = "The Redis of this process has not been reached yet."
    return Problem(503, "STORE_UNAVAILABLE", detail, {"status": "starting"}, headers=_retry_after(503, None))


def draining() -> Problem:
    """The gateway is about to stop."""
    detail = "The gateway is about to stop: another one takes the calls."
    return Problem(503, "ENGINE_UNAVAILABLE", detail, {"status": "draining"}, headers=_retry_after(503, None))
