"""A hook of schemathesis: null is taken for nothing, as ProtoJSON has it, though the document does not offer it."""

from __future__ import annotations

from typing import Protocol

import schemathesis
from schemathesis.core.failures import AcceptedNegativeData, Failure


class Case(Protocol):
    """What is used here of a request that schemathesis makes up."""

    body: object


def _has_null(value: object) -> bool:
    """Whether a member of an object is null; an item of a list must not be."""
    if isinstance(value, list):
        return any(_has_null(item) for item in value)
    return isinstance(value, dict) and any(member is None or _has_null(member) for member in value.values())


@schemathesis.hook
def filter_failure(context: object, failure: Failure, case: Case, response: object) -> bool:
    """Whether it counts that a request was accepted."""
    return not (isinstance(failure, AcceptedNegativeData) and _has_null(case.body))
