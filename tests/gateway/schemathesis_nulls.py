"""Schemathesis hook: null members of objects are accepted, as ProtoJSON says, though the document has none."""

from __future__ import annotations

from typing import Protocol

import schemathesis
from schemathesis.core.failures import AcceptedNegativeData, Failure


class Case(Protocol):
    """The part of a schemathesis test case that is used here."""

    body: object


def _has_null(value: object) -> bool:
    """Whether any member of an object is null. Items of lists must not be null."""
    if isinstance(value, list):
        return any(_has_null(item) for item in value)
    return isinstance(value, dict) and any(member is None or _has_null(member) for member in value.values())


@schemathesis.hook
def filter_failure(context: object, failure: Failure, case: Case, response: object) -> bool:
    """Whether it is a failure that the request was accepted."""
    return not (isinstance(failure, AcceptedNegativeData) and _has_null(case.body))
