"""Examples in the OpenAPI document: bodies that every game accepts, and a problem of each status."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gateway import problems
from gateway.openapi.schema import Schema
from gateway.problems import Problem
from gateway.protojson import Violation
from gateway.routing.bindings import Binding
from gateway.upstream.rpc_errors import PROBLEMS_BY_STATUS

EXAMPLE_PATH: Final = "/v1/games"

BODY_EXAMPLES: Final[Mapping[str, Schema]] = {
    "NewGame": {"seats": [{"name": "Ada"}, {"name": "Ben"}], "clientSeed": "of the two of us"},
    "Leave": {},
}
"""Bodies by method name. None has a move or a state, since these differ from game to game."""

_EXAMPLES_WITH_DETAILS: Final = (
    Problem(
        400,
        "INVALID_REQUEST",
        "The request cannot be read: see the violations.",
        violations=[Violation("seats[1].name", "expected a string")],
    ),
    Problem(401, "UNAUTHENTICATED", "A seat token is needed.", {"credential": problems.SEAT_TOKEN}),
    problems.method_not_allowed("PUT", ["GET", "HEAD", "OPTIONS"]),
    problems.body_timeout(seconds=30),
    Problem(
        409,
        "STALE_REVISION",
        "The match has moved on.",
        metadata={"expectedRevision": "20", "revision": "21"},
    ),
    problems.too_large(limit=1_000_000),
    problems.unsupported_media_type(given="text/plain"),
    problems.rate_limited("100/minute", 12),
)
_EXAMPLES_BY_GRPC_STATUS: Final = {
    each.status: Problem(each.status, each.reason, each.detail) for each in PROBLEMS_BY_STATUS.values()
}
_PROBLEM_EXAMPLES: Final[Mapping[int, Problem]] = {
    **_EXAMPLES_BY_GRPC_STATUS,
    **{each.status: each for each in _EXAMPLES_WITH_DETAILS},
}


def body_example(binding: Binding) -> Schema:
    """The `example` member of a request body's media type; empty without an example."""
    found = BODY_EXAMPLES.get(binding.method.name)
    return {} if found is None else {"example": found}


def problem_example(status: int) -> Schema:
    """The example of an error with this status."""
    return problems.content(_PROBLEM_EXAMPLES[status], EXAMPLE_PATH)
