"""Error responses as RFC 9457 `application/problem+json`: all problem types, and the function that writes them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from fireside.match.v1.error_reason_pb2 import DESCRIPTOR as REASONS_FILE
from starlette.responses import Response

from gateway.openapi.proto_comments import comment
from gateway.openapi.schema import Schema
from gateway.protojson import MAX_VIOLATIONS, Violation
from runtime.texts import MAX_DETAIL_LENGTH, shortened

MEDIA_TYPE: Final = "application/problem+json"
SEAT_TOKEN: Final = "seatToken"
API_KEY: Final = "apiKey"
"""Names of the credentials, in the metadata of problems and in the OpenAPI document."""
NO_STORE: Final = {"Cache-Control": "no-store"}
"""Header of responses that may differ for another caller, or contain tokens."""
RETRY_SECONDS: Final = 1
"""`Retry-After` for errors that give no time of their own."""

_REASON_ENUM: Final = REASONS_FILE.enum_types_by_name["ErrorReason"]
_REASON_PREFIX: Final = "ERROR_REASON_"
_CLOSE_CONNECTION: Final = {"Connection": "close"}
"""Header of problems after which the rest of the body is not read."""
_RETRY_AFTER: Final = {"Retry-After": str(RETRY_SECONDS)}


@dataclass(eq=False)
class Problem(Exception):
    """An error response to be sent to the client. `headers` are those that its status requires."""

    status: int
    reason: str
    detail: str
    metadata: Mapping[str, str] = field(default_factory=dict)
    violations: Sequence[Violation] = ()
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ProblemType:
    """A type of problem; calling it with its facts gives a `Problem`.

    `detail` and the values of `metadata` are format strings for the facts.
    """

    status: int
    reason: str
    detail: str
    metadata: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, **facts: object) -> Problem:
        texts = {name: shortened(str(fact)) for name, fact in facts.items()}
        metadata = {name: value.format_map(texts) for name, value in self.metadata.items()}
        return Problem(self.status, self.reason, self.detail.format_map(texts), metadata, headers=self.headers)


malformed_json: Final = ProblemType(400, "INVALID_REQUEST", "The body is not JSON: {description}.")
broken_body: Final = ProblemType(
    400, "INVALID_REQUEST", "The body broke off, or violates HTTP.", headers=_CLOSE_CONNECTION
)
preflight_refused: Final = ProblemType(
    400,
    "INVALID_REQUEST",
    "Pages of that origin may not send such a request here: see FIRESIDE_CORS_ORIGINS, and the routes.",
)
unauthenticated: Final = ProblemType(401, "UNAUTHENTICATED", "{detail}", {"credential": SEAT_TOKEN})
api_key_unreadable: Final = ProblemType(
    401, "UNAUTHENTICATED", "The header X-Api-Key is not a key.", {"credential": API_KEY}
)
unknown_game: Final = ProblemType(404, "UNKNOWN_GAME", "There is no game {game!r} here.", {"game": "{game}"})
no_tournaments: Final = ProblemType(404, "UNKNOWN_ROUTE", "There are no tournaments here.")
unknown_route: Final = ProblemType(404, "UNKNOWN_ROUTE", "There is no route {path}.")
body_timeout: Final = ProblemType(
    408, "DEADLINE_EXCEEDED", "The body did not arrive within {seconds} seconds.", headers=_CLOSE_CONNECTION
)
join_timeout: Final = ProblemType(
    408, "DEADLINE_EXCEEDED", "No message that joins the match arrived within {seconds} seconds."
)
too_large: Final = ProblemType(
    413, "TOO_LARGE", "The body is larger than {limit} bytes.", {"limit": "{limit}"}, _CLOSE_CONNECTION
)
message_too_large: Final = ProblemType(
    413, "TOO_LARGE", "The message is larger than an engine accepts.", {"limit": "{limit}"}
)
unsupported_media_type: Final = ProblemType(415, "INVALID_REQUEST", "The body must be application/json, not {given}.")
unsupported_charset: Final = ProblemType(415, "INVALID_REQUEST", "The body must be in UTF-8, not {given}.")
unsupported_encoding: Final = ProblemType(
    415,
    "INVALID_REQUEST",
    "The body must not be compressed: its encoding is {given}.",
    headers={"Accept-Encoding": "identity"},
)
busy: Final = ProblemType(
    429,
    "BUSY",
    "The service is busy: too many bytes of requests are in flight. Try again soon.",
    headers={**_RETRY_AFTER, **_CLOSE_CONNECTION},
)
too_many_sockets: Final = ProblemType(
    429,
    "TOO_MANY_STREAMS",
    "This gateway has {limit} WebSockets, the most that it may. Try again soon.",
    {"limit": "{limit}"},
    _RETRY_AFTER,
)
internal: Final = ProblemType(500, "INTERNAL", "The service failed; its logs say why.")
engine_unavailable: Final = ProblemType(
    503, "ENGINE_UNAVAILABLE", "A service that this call needs does not respond.", {"games": "{games}"}, _RETRY_AFTER
)
redis_never_reached: Final = ProblemType(
    503, "STORE_UNAVAILABLE", "This process has not reached its Redis yet.", {"status": "starting"}, _RETRY_AFTER
)
draining: Final = ProblemType(
    503,
    "ENGINE_UNAVAILABLE",
    "The gateway is about to stop: another one serves further calls.",
    {"status": "draining"},
    _RETRY_AFTER,
)
engine_timeout: Final = ProblemType(504, "DEADLINE_EXCEEDED", "The engine did not respond in time.")


def invalid_request(violations: Sequence[Violation]) -> Problem:
    """Values that do not fit their fields."""
    return Problem(400, "INVALID_REQUEST", "The request cannot be read: see the violations.", violations=violations)


def http_violation(status: int, detail: str) -> Problem:
    """A request that violates HTTP. The connection is closed, since its body is not read."""
    return Problem(status, "INVALID_REQUEST", detail, headers=_CLOSE_CONNECTION)


def rate_limited(limit: str, seconds: float) -> Problem:
    """Too many calls of one caller; the next one may pass after `seconds`."""
    detail = f"More than {limit}: wait as long as Retry-After says."
    return Problem(429, "RATE_LIMITED", detail, {"limit": limit}, headers=retry_after(seconds))


def retry_after(seconds: float) -> dict[str, str]:
    """The header `Retry-After`, in whole seconds."""
    return {"Retry-After": str(max(1, math.ceil(seconds)))}


def method_not_allowed(method: str, allowed: Iterable[str]) -> Problem:
    """The route does not support the method."""
    allow = allow_header(allowed)
    return Problem(405, "UNKNOWN_ROUTE", f"The route takes {allow}, not {shortened(method)}.", headers={"Allow": allow})


def allow_header(methods: Iterable[str]) -> str:
    """The value of the header `Allow`."""
    return ", ".join(sorted(methods))


def response(problem: Problem, instance: str) -> Response:
    """The response for a problem; `instance` is the path of the request."""
    # `replace`: a path may contain surrogates, which no encoding takes.
    body = json.dumps(content(problem, instance), ensure_ascii=False).encode(errors="replace")
    return Response(body, problem.status, {**NO_STORE, **_challenge(problem), **problem.headers}, MEDIA_TYPE)


def content(problem: Problem, instance: str) -> Schema:
    """The members of the body. Texts quoted from the request are shortened by `runtime.texts`."""
    return {
        "type": f"/errors/{problem.reason}",
        "title": problem.reason.replace("_", " ").capitalize(),
        "status": problem.status,
        "detail": shortened(problem.detail, MAX_DETAIL_LENGTH),
        "instance": shortened(instance),
        "reason": problem.reason,
        "metadata": {name: shortened(value) for name, value in problem.metadata.items()},
        "violations": [
            {"field": shortened(each.field), "description": shortened(each.description, MAX_DETAIL_LENGTH)}
            for each in problem.violations[:MAX_VIOLATIONS]
        ],
    }


def _challenge(problem: Problem) -> dict[str, str]:
    if problem.status != 401:
        return {}
    scheme = "ApiKey" if problem.metadata.get("credential") == API_KEY else "Bearer"
    return {"WWW-Authenticate": f'{scheme} realm="fireside"'}


def explanation(reason: str) -> str | None:
    """The comment of a reason in the protos, which the `type` of a problem links to; None for an unknown reason."""
    value = _REASON_ENUM.values_by_name.get(_REASON_PREFIX + reason)
    return comment(f"{_REASON_ENUM.full_name}.{value.name}") if value is not None and value.number else None


def reasons() -> list[str]:
    """All reasons that can be sent."""
    return [value.name.removeprefix(_REASON_PREFIX) for value in _REASON_ENUM.values if value.number]
