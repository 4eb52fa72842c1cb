"""Hooks of schemathesis: whoever asks about a match does so with the token of one of its seats, or as a spectator."""

from __future__ import annotations

from random import Random
from typing import Protocol

import schemathesis


class Operation(Protocol):
    """What is used here of an operation of schemathesis."""

    path: str


class Case(Protocol):
    """The same of a request that it makes up."""

    operation: Operation
    path_parameters: dict[str, object]
    headers: dict[str, str]


TOKENS: dict[str, list[str]] = {}
RANDOM = Random(1)
SPECTATORS = 0.2


@schemathesis.hook
def map_body(context: schemathesis.HookContext, body: object) -> object:
    """Most matches that are begun can be: a schema does not know which options of a game go together."""
    begins = context.operation is not None and context.operation.path.endswith("/matches")
    return {"seats": [{}, {}]} if begins and RANDOM.random() > SPECTATORS else body


@schemathesis.hook
def after_call(context: schemathesis.HookContext, case: Case, response: schemathesis.Response) -> None:
    if case.operation.path.endswith("/matches") and response.status_code == 201:
        begun = response.json()
        TOKENS[begun["matchId"]] = [seat["token"] for seat in begun["seats"]]


@schemathesis.hook
def before_call(context: schemathesis.HookContext, case: Case, kwargs: dict[str, object]) -> None:
    tokens = TOKENS.get(str(case.path_parameters.get("match_id", "")))
    if tokens and RANDOM.random() > SPECTATORS:
        case.headers["Authorization"] = f"Bearer {RANDOM.choice(tokens)}"
