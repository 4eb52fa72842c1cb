"""Schemathesis hook: null members of objects are accepted as in ProtoJSON, although the OpenAPI document has none."""

from __future__ import annotations

from typing import Protocol

import schemathesis
from schemathesis.core.failures import AcceptedNegativeData, Failure


class Case(Protocol):
    """The part of a schemathesis test case that is used here."""

    body: object


def _has_null(value: object) -> bool:
    """Whether any member of an object is null; null items of lists do not count, as they are invalid."""
    if isinstance(value, list):
        return any(_has_null(item) for item in value)
    return isinstance(value, dict) and any(member is None or _has_null(member) for member in value.values())


@schemathesis.hook
def filter_failure(context: object, failure: Failure, case: Case, response: object) -> bool:
    """Whether the failure is a real one, and not the acceptance of a null member."""
    return not (isinstance(failure, AcceptedNegativeData) and _has_null(case.body))
