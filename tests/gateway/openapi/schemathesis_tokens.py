"""Schemathesis hooks that authorize calls: most have the token of a seat of their match, some have none.

The token depends only on the request: when schemathesis repeats a sequence it must behave the same, or schemathesis
silently stops looking for further sequences.
"""

from __future__ import annotations

from typing import Protocol
from zlib import crc32

import schemathesis


class Operation(Protocol):
    """The part of a schemathesis operation that is used here."""

    path: str


class Case(Protocol):
    """The part of a schemathesis test case that is used here."""

    operation: Operation
    path_parameters: dict[str, object]
    headers: dict[str, str]
    query: object
    body: object


TOKENS_BY_MATCH: dict[str, list[str]] = {}
SPECTATOR_INTERVAL = 5
"""One call in five is a spectator's."""


def _stable_hash(*words: object) -> int:
    """A stable hash."""
    return crc32(repr(words).encode(errors="replace"))


@schemathesis.hook
def map_body(context: schemathesis.HookContext, body: object) -> object:
    """Make most requests for new matches valid: the schema cannot say which options of a game go together."""
    begins = context.operation is not None and context.operation.path.endswith("/matches")
    return {"seats": [{}, {}]} if begins and _stable_hash(body) % SPECTATOR_INTERVAL else body


@schemathesis.hook
def after_call(context: schemathesis.HookContext, case: Case, response: schemathesis.Response) -> None:
    if case.operation.path.endswith("/matches") and response.status_code == 201:
        new_game = response.json()
        TOKENS_BY_MATCH[new_game["matchId"]] = [seat["token"] for seat in new_game["seats"]]


@schemathesis.hook
def before_call(context: schemathesis.HookContext, case: Case, kwargs: dict[str, object]) -> None:
    tokens = TOKENS_BY_MATCH.get(str(case.path_parameters.get("match_id", "")))
    chosen = _stable_hash(case.operation.path, case.query, case.body, case.headers.get("X-Request-Id"))
    if tokens and chosen % SPECTATOR_INTERVAL:
        case.headers["Authorization"] = f"Bearer {tokens[chosen // SPECTATOR_INTERVAL % len(tokens)]}"
